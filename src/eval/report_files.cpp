#include "eval/report_files.h"

#include <fmt/core.h>

#include "core/console.h"
#include "core/file.h"
#include "core/json.h"
#include "report/plots.h"
#include "report/scores_json.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

void add_epochs_plot(const fs::path& folder, const ParzenScores& parzen, std::vector<Figure>& figures) {
  try {
    Figure figure;
    figure.title = "Likelihood over the epochs";
    figure.caption =
        fmt::format("Test photographs under a Parzen window of sigma {:.3g}, with standard errors.",
                    parzen.epochs->sigma);
    figure.bytes = render_plot(parzen_epochs_plot(*parzen.epochs, parzen.baseline));
    figure.part = ReportPart::kParzen;
    write_file(folder / "log_likelihood.png", figure.bytes);
    figures.push_back(std::move(figure));
  } catch (const std::exception& error) {
    print_message(fmt::format("nowhere: log_likelihood.png was not drawn: {}\n", error.what()));
  }
}

}  // namespace

void write_report(const fs::path& folder, const Evaluation& evaluation) {
  make_directories(folder);
  std::vector<Figure> figures = evaluation.figures;
  if (const auto& parzen = evaluation.scores.parzen; parzen && parzen->epochs)
    add_epochs_plot(folder, *parzen, figures);
  for (const MemorisationScores& space : evaluation.scores.memorisation)
    if (!space.worst_pairs_png.empty()) write_file(folder / space.worst_pairs_file, space.worst_pairs_png);
  write_file(folder / "scores.json", pretty(scores_to_json(evaluation.scores)) + "\n");
  write_file(folder / "index.html", render_report(evaluation.scores, figures));
}

}  // namespace nowhere
