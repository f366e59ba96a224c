#include "figures/figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
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

// Curves of one key each over images seen: the values faint, a smooth line before them.
Plot curves(const std::vector<boost::json::object>& stats, const std::string& title,
            const std::string& y_label, const std::vector<std::pair<std::string, std::string>>& keys) {
  constexpr double kPast = 0.9;
  Plot plot{.title = title, .x_label = "images seen", .y_label = y_label};
  plot.height = 420;
  for (const auto& [key, name] : keys) {
    Series raw{.name = name, .faint = true};
    for (const auto& line : stats) {
      if (!line.contains(key) || !line.at(key).is_number() || !line.contains("images")) continue;
      raw.x.push_back(line.at("images").to_number<double>());
      raw.y.push_back(line.at(key).to_number<double>());
    }
    Series line{.name = name, .x = raw.x, .y = smooth(raw.y, kPast)};
    plot.series.push_back(std::move(raw));
    plot.series.push_back(std::move(line));
  }
  return plot;
}

void draw_curves(const RunDirectory& run) {
  const auto stats = read_stats(run.stats());
  const std::vector<Plot> plots = {
      curves(stats, "Losses", "loss", {{"D_loss", "discriminator"}, {"G_loss", "generator"}}),
      curves(stats, "How real the discriminator takes them for", "mean of sigmoid(D)",
             {{"D_X", "photographs, D(x)"}, {"D_G_z1", "fakes, D(G(z))"}}),
      curves(stats, "Speed", "images/s", {{"images_per_second", "training"}})};
  write_plots(run.figures() / "train_loss.png", plots);
}

// Pictures of the run's fixed noise, or of other noise: `seed` decides.
Image generated_sheet(const PictureBackend& backend, const Generator& generator, uint64_t seed) {
  const GeneratorInput input =
      draw_input(kFigurePictures, generator->description().input().channels, seed, Purpose::kFixedNoise);
  return make_sheet(make_images(backend, input), kPaper);
}

// The fixed noise after every epoch that was saved, thinned so that the video stays short.
void draw_progress(const RunDirectory& run) {
  constexpr size_t kMaxFrames = 60;
  constexpr int kFrameMs = 200;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(run.fixed_noise()))
    if (entry.path().extension() == ".png") files.push_back(entry.path());
  if (files.empty()) return;
  std::sort(files.begin(), files.end());
  std::vector<Image> frames;
  const size_t count = std::min(kMaxFrames, files.size());
  for (size_t i = 0; i < count; ++i)
    frames.push_back(read_image(files[count == 1 ? 0 : i * (files.size() - 1) / (count - 1)]));
  const std::vector<uint8_t> gif = encode_gif(frames, kFrameMs);
  write_file(run.videos() / "progress.gif", gif);
}

// Only where `evaluate --epochs` judged the epochs.
void draw_likelihood(const RunDirectory& run, const fs::path& scores) {
  if (const auto plot = log_likelihood_plot(read_json_file(scores), printable(scores)))
    write_plot(run.figures() / "log_likelihood.png", *plot);
}

struct Drawing {
  fs::path file;
  fs::path needs;  // without it there is nothing to draw
  std::function<void()> draw;
};

}  // namespace

void save_real_pictures(const RunDirectory& run, const torch::Tensor& pictures) {
  write_image(run.figures() / "real.png", make_sheet(to_images(pictures), kPaper));
}

std::vector<fs::path> make_figures(const RunDirectory& run, const Generator& generator, uint64_t seed) {
  const auto backend = picture_backend(generator);
  const fs::path real = run.figures() / "real.png";
  const std::vector<Drawing> drawings = {
      {run.figures() / "train_loss.png", run.stats(), [&] { draw_curves(run); }},
      {run.figures() / "compare.png", real,
       [&] {
         const Image photographs = read_image(real), fakes = generated_sheet(*backend, generator, seed);
         write_image(run.figures() / "compare.png",
                     side_by_side({{"photographs", &photographs}, {"generated", &fakes}}));
       }},
      {run.figures() / "novel_samples.png", run.path(),
       [&] {
         write_image(run.figures() / "novel_samples.png", generated_sheet(*backend, generator, seed + 1));
       }},
      {run.figures() / "log_likelihood.png", run.scores(), [&] { draw_likelihood(run, run.scores()); }},
      {run.videos() / "progress.gif", run.fixed_noise(), [&] { draw_progress(run); }}};
  std::vector<fs::path> drawn;
  for (const Drawing& drawing : drawings) {
    if (!fs::exists(drawing.needs)) continue;
    try {
      drawing.draw();
      if (fs::exists(drawing.file)) drawn.push_back(drawing.file);
    } catch (const std::exception& error) {
      print_message(
          fmt::format("nowhere: {} was not drawn: {}\n", printable(drawing.file.filename()), error.what()));
    }
  }
  return drawn;
}

}  // namespace nowhere
