#include "report/report_files.h"

#include <fmt/core.h>

#include <utility>

#include "core/console.h"
#include "core/file.h"
#include "core/json.h"
#include "plot/plot.h"
#include "report/plots.h"
#include "report/scores_json.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

void add_likelihood_plot(const fs::path& folder, const ParzenScores& parzen, std::vector<Figure>& figures) {
  try {
    const auto plot = log_likelihood_plot(parzen);
    if (!plot) return;
    Figure figure;
    figure.title = "Likelihood over the epochs";
    figure.caption =
        fmt::format("Test photographs under a Parzen window of sigma {:.3g}, with standard errors.",
                    parzen.epochs->sigma);
    figure.bytes = render_plot(*plot);
    figure.part = ReportPart::kParzen;
    write_file(folder / "log_likelihood.png", figure.bytes);
    figures.push_back(std::move(figure));
  } catch (const std::exception& error) {
    print_message(fmt::format("nowhere: log_likelihood.png was not drawn: {}\n", error.what()));
  }
}

}  // namespace

void write_report(const fs::path& folder, const Scores& scores, std::vector<Figure> figures) {
  make_directories(folder);
  if (scores.parzen) add_likelihood_plot(folder, *scores.parzen, figures);
  for (const MemorisationScores& space : scores.memorisation)
    if (!space.worst_pairs_png.empty()) write_file(folder / space.worst_pairs_file, space.worst_pairs_png);
  write_file(folder / "scores.json", pretty(scores_to_json(scores)) + "\n");
  write_file(folder / "index.html", render_report(scores, figures));
}

}  // namespace nowhere
