#include "train/figures.h"

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
#include "image/plot.h"
#include "model/draws.h"
#include "model/pictures.h"
#include "observe/stats_log.h"
#include "report/plots.h"
#include "report/scores_json.h"
#include "train/reference.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr int kColumns = 8, kPadding = 2;
constexpr int64_t kPictures = 64;
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

void draw_comparison(const RunDirectory& run, Generator& generator, const TrainConfig& config) {
  const Image real = read_image(run.figures() / "real.png");
  const torch::Tensor z = draw_latents(kPictures, config.model.nz, config.seed, Purpose::kFixedNoise);
  const Image fake = make_grid(make_pictures(generator, z), kColumns, kPadding, kPaper);
  write_image(run.figures() / "compare.png", side_by_side({{"photographs", &real}, {"generated", &fake}}));
}

void draw_novel_samples(const RunDirectory& run, Generator& generator, const TrainConfig& config) {
  const torch::Tensor z = draw_latents(kPictures, config.model.nz, config.seed + 1, Purpose::kFixedNoise);
  write_image(run.figures() / "novel_samples.png",
              make_grid(make_pictures(generator, z), kColumns, kPadding, kPaper));
}

// The fixed noise after every epoch that was saved, thinned so that the video stays short.
void draw_progress(const RunDirectory& run) {
  constexpr size_t kMostFrames = 60;
  constexpr int kFrameMs = 200;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(run.fixed_noise()))
    if (entry.path().extension() == ".png") files.push_back(entry.path());
  if (files.empty()) return;
  std::sort(files.begin(), files.end());
  std::vector<Image> frames;
  const size_t count = std::min(kMostFrames, files.size());
  for (size_t i = 0; i < count; ++i)
    frames.push_back(read_image(files[count == 1 ? 0 : i * (files.size() - 1) / (count - 1)]));
  const std::vector<uint8_t> gif = encode_gif(frames, kFrameMs);
  write_file(run.videos() / "progress.gif", gif);
}

// Only where `evaluate --epochs` judged the epochs.
void draw_likelihood(const RunDirectory& run, const fs::path& scores) {
  if (const auto epochs = parzen_epochs_from_json(read_json_file(scores), printable(scores)))
    write_plot(run.figures() / "log_likelihood.png", parzen_epochs_plot(*epochs));
}

struct Drawing {
  fs::path file;
  fs::path needs;  // without it there is nothing to draw
  std::function<void()> draw;
};

}  // namespace

void save_real_pictures(const RunDirectory& run, const Source& source, const std::vector<uint32_t>& photos,
                        const TrainConfig& config) {
  const torch::Tensor pictures = reference_pictures(source, photos, config, kPictures);
  write_image(run.figures() / "real.png", make_grid(to_images(pictures), kColumns, kPadding, kPaper));
}

std::vector<fs::path> make_figures(const RunDirectory& run, Generator& generator, const TrainConfig& config) {
  const fs::path scores = run.scores();
  const std::vector<Drawing> drawings = {
      {run.figures() / "train_loss.png", run.stats(), [&] { draw_curves(run); }},
      {run.figures() / "compare.png", run.figures() / "real.png",
       [&] { draw_comparison(run, generator, config); }},
      {run.figures() / "novel_samples.png", run.path(), [&] { draw_novel_samples(run, generator, config); }},
      {run.figures() / "log_likelihood.png", scores, [&] { draw_likelihood(run, scores); }},
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
