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

constexpr const char* kPlotName = "log_likelihood.png";

void add_likelihood_plot(const fs::path& folder, const fs::path& figures_folder, const ParzenScores& parzen,
                         std::vector<Figure>& figures) {
  try {
    const auto plot = log_likelihood_plot(parzen);
    if (!plot) return;
    Figure figure;
    figure.title = "Likelihood over the epochs.";
    figure.caption = fmt::format(
        "Test photographs under a Parzen window of sigma {:.3g}, with standard errors; "
        "pixels from 0 to 1.",
        parzen.epochs->sigma);
    figure.bytes = render_plot(*plot);
    figure.part = ReportPart::kParzen;
    write_file(folder / kPlotName, figure.bytes);
    figures.push_back(figure);
    if (figures_folder.empty()) return;
    make_directories(figures_folder);
    write_file(figures_folder / kPlotName, figure.bytes);
  } catch (const std::exception& error) {
    print_message(fmt::format("nowhere: {} was not drawn: {}\n", kPlotName, error.what()));
  }
}

}  // namespace

void check_report_folder(const fs::path& folder) {
  make_directories(folder);
  const fs::path probe = folder / ".nowhere-probe";
  write_file(probe, std::string_view("x"));
  std::error_code ignored;
  fs::remove(probe, ignored);
}

void write_report(const fs::path& folder, const Scores& scores, std::vector<Figure> figures,
                  const fs::path& figures_folder) {
  make_directories(folder);
  if (scores.parzen) add_likelihood_plot(folder, figures_folder, *scores.parzen, figures);
  for (const MemorisationScores& space : scores.memorisation)
    if (!space.worst_pairs_png.empty()) write_file(folder / space.worst_pairs_file, space.worst_pairs_png);
  write_file(folder / "scores.json", pretty(scores_to_json(scores)) + "\n");
  write_file(folder / "index.html", render_report(scores, figures));
}

}  // namespace nowhere
