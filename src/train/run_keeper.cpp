#include "train/run_keeper.h"

#include "archive/torch_file.h"
#include "core/console.h"
#include "core/stopwatch.h"
#include "image/encode.h"
#include "image/grid.h"
#include "model/calibrate.h"
#include "model/generator_file.h"
#include "model/picture_backend.h"
#include "tensor/pictures.h"

namespace nowhere {

RunKeeper::RunKeeper(const TrainerContext& context, const Players& players, const EpochData& data)
    : context_(context),
      config_(context.config),
      players_(players),
      data_(data),
      noise_(draw_input(kFixedVectors, config_.model.nz, config_.seed, Purpose::kFixedNoise)),
      background_([](const std::string& reason) { print_message("nowhere: " + reason + "\n"); }),
      checkpoints_(
          context.run, config_, background_,
          [this](uint64_t epoch, double seconds) { recorder_->saved(epoch, seconds); }, context.saved),
      scorer_(config_, context.source, context.photos) {}

RunKeeper::~RunKeeper() {
  background_.finish();  // its jobs use what is destroyed before it
}

void RunKeeper::restore(PictureHistory pictures, const torch::Tensor& noise) {
  pictures_ = std::move(pictures);
  if (noise.defined()) noise_ = {noise, {}};
}

void RunKeeper::record_from(int64_t images) {
  recorder_.emplace(context_.run, config_, images, background_, context_.metrics);
}

void RunKeeper::complete(const CheckpointName& name, const TrainProgress& progress) {
  const std::filesystem::path slim = context_.run.slim_checkpoint(name.epoch),
                              picture = context_.run.fixed_noise(name.epoch);
  std::error_code error;
  const bool has_slim = std::filesystem::exists(slim, error),
             has_picture = std::filesystem::exists(picture, error);
  if (name.within_epoch() || (has_slim && has_picture)) return;
  const Generator shown = generator();
  if (!has_slim)
    write_torch_file(slim, slim_checkpoint(shown, config_.model, progress.epoch, progress.images,
                                           context_.config_text, players_.frozen.get()));
  if (!has_picture) write_image(picture, make_sheet(make_images(*picture_backend(shown), noise_)));
}

TimeSplit RunKeeper::save(const TrainProgress& progress, const LogPoint& latest) {
  Stopwatch watch;
  TimeSplit time;
  const bool whole = progress.batches == 0;
  std::optional<Generator> shown;
  Image grid;
  Checkpoints::Save save{.epoch = progress.epoch, .batches = progress.batches};
  if (whole) {
    shown = generator();
    const torch::Tensor pictures = make_pictures(*picture_backend(*shown), noise_).permute({0, 3, 1, 2});
    pictures_.add(pictures);
    grid = make_sheet(to_images(pictures));
    save.score = scorer_.score(*shown, progress.epoch, latest);
  }
  time.other = watch.lap();
  background_.finish();  // two snapshots in memory at once would be one too many
  save.full = make_snapshot({players_, progress, config_.model.architecture, context_.config_text, data_,
                             noise_.latent, pictures_});
  if (whole)
    save.slim = slim_checkpoint(*shown, config_.model, progress.epoch, progress.images, context_.config_text,
                                players_.frozen.get());
  checkpoints_.save(std::move(save));
  time.checkpoint = watch.lap();
  if (whole) {
    recorder_->pictures("fixed_noise", progress.images, grid);
    background_.post([path = context_.run.fixed_noise(progress.epoch), grid] { write_image(path, grid); });
  }
  return time;
}

Generator RunKeeper::generator() const {
  return players_.average ? calibrated(*players_.average, config_.model) : players_.generator.network;
}

}  // namespace nowhere
