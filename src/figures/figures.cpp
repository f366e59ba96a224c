#include "figures/figures.h"

#include <fmt/core.h>

#include <functional>
#include <map>
#include <utility>

#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "figures/machine_figure.h"
#include "figures/progress.h"
#include "image/decode.h"
#include "image/encode.h"
#include "image/grid.h"
#include "image/label.h"
#include "model/picture_backend.h"
#include "observe/stats_log.h"
#include "plot/plot.h"
#include "plot/smooth.h"
#include "report/plots.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr uint8_t kPaper = 255;

// What is drawn of stats.jsonl: its keys, and the names of the curves.
struct CurvePanel {
  std::string title, y_label;
  std::vector<std::pair<std::string, std::string>> curves;
};

// Over images seen: the values faint, a smooth line before them.
void draw_curves(const RunDirectory& run) {
  constexpr double kPast = 0.9;
  const std::vector<CurvePanel> panels = {
      {"Losses", "loss", {{"D_loss", "discriminator"}, {"G_loss", "generator"}}},
      {"How real the discriminator takes them for",
       "mean of sigmoid(D)",
       {{"D_X", "photographs, D(x)"}, {"D_G_z1", "fakes, D(G(z))"}}},
      {"Speed", "images/s", {{"images_per_second", "training"}}}};
  std::map<std::string, Series> values;
  for (const CurvePanel& panel : panels)
    for (const auto& [key, name] : panel.curves) values[key] = {.name = name, .faint = true};
  for_each_stat(run.stats(), [&](const boost::json::object& line) {
    const boost::json::value* images = line.if_contains("images");
    if (images == nullptr || !images->is_number()) return;
    for (auto& [key, series] : values) {
      const boost::json::value* value = line.if_contains(key);
      if (value == nullptr || !value->is_number()) continue;
      series.x.push_back(images->to_number<double>());
      series.y.push_back(value->to_number<double>());
    }
  });
  std::vector<Plot> plots;
  for (const CurvePanel& panel : panels) {
    plots.push_back(
        {.title = panel.title, .x_label = "images seen", .y_label = panel.y_label, .height = 420});
    for (const auto& [key, name] : panel.curves) {
      Series& raw = values[key];
      Series line{.name = name, .x = raw.x, .y = smooth(raw.y, kPast)};
      plots.back().series.push_back(std::move(raw));
      plots.back().series.push_back(std::move(line));
    }
  }
  write_plots(run.figures() / "train_loss.png", plots);
}

void draw_machine(const RunDirectory& run) {
  boost::json::object config;
  if (fs::exists(run.config())) config = read_json_file(run.config());
  write_plots(run.figures() / "machine.png", machine_plots(read_machine_history(run.stats()), config));
}

// Pictures of the run's fixed noise, or of other noise: `seed` decides.
Image generated_sheet(const PictureBackend& backend, const Generator& generator, uint64_t seed) {
  const GeneratorInput input =
      draw_input(kFigurePictures, generator->description().input().channels, seed, Purpose::kFixedNoise);
  return make_sheet(make_images(backend, input), kPaper);
}

// Only where `evaluate --epochs` judged the epochs.
void draw_likelihood(const RunDirectory& run, const fs::path& scores) {
  if (const auto plot = log_likelihood_plot(read_json_file(scores), printable(scores)))
    write_plot(run.figures() / "log_likelihood.png", *plot);
}

// Its last folder, however the path was written.
std::string run_name(const RunDirectory& run) {
  const fs::path path = fs::absolute(run.path()).lexically_normal();
  return printable(path.has_filename() ? path.filename() : path.parent_path().filename());
}

struct Drawing {
  std::vector<fs::path> files;
  fs::path needs;  // without it there is nothing to draw
  std::function<void()> draw;
};

DrawnFigures make_drawings(const std::vector<Drawing>& drawings) {
  DrawnFigures figures;
  for (const Drawing& drawing : drawings) {
    if (!fs::exists(drawing.needs)) continue;
    try {
      drawing.draw();
      for (const fs::path& file : drawing.files)
        if (fs::exists(file)) figures.drawn.push_back(file);
    } catch (const std::exception& error) {
      const std::string name = printable(drawing.files[0].filename());
      print_message(fmt::format("nowhere: {} was not drawn: {}\n", name, error.what()));
      figures.failed.push_back(name);
    }
  }
  return figures;
}

Drawing machine_drawing(const RunDirectory& run) {
  return {{run.figures() / "machine.png"}, run.stats(), [&run] { draw_machine(run); }};
}

}  // namespace

void save_real_pictures(const RunDirectory& run, const torch::Tensor& pictures) {
  write_image(run.figures() / "real.png", make_sheet(to_images(pictures), kPaper));
}

void make_machine_figure(const RunDirectory& run) {
  make_drawings({machine_drawing(run)});
}

DrawnFigures make_figures(const RunDirectory& run, const Generator& generator, uint64_t seed) {
  const auto backend = picture_backend(generator);
  const fs::path real = run.figures() / "real.png", compare = run.figures() / "compare.png",
                 novel = run.figures() / "novel_samples.png";
  return make_drawings(
      {{{run.figures() / "train_loss.png"}, run.stats(), [&] { draw_curves(run); }},
       machine_drawing(run),
       {{compare},
        real,
        [&] {
          const Image photographs = read_image(real), fakes = generated_sheet(*backend, generator, seed);
          write_image(compare, side_by_side({{"photographs", &photographs}, {"generated", &fakes}}));
        }},
       {{novel}, run.path(), [&] { write_image(novel, generated_sheet(*backend, generator, seed + 1)); }},
       {{run.figures() / "log_likelihood.png"}, run.scores(), [&] { draw_likelihood(run, run.scores()); }},
       {{run.videos() / "progress.gif", run.videos() / "progress.html"}, run.fixed_noise(), [&] {
          draw_progress(run.fixed_noise(), run.videos(), run_name(run));
        }}});
}

}  // namespace nowhere
