#include "train/trainer.h"

#include <fmt/core.h>

#include <cmath>

#include "archive/torch_file.h"
#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "image/encode.h"
#include "image/grid.h"
#include "model/calibrate.h"
#include "model/generator_file.h"
#include "model/picture_backend.h"
#include "tensor/pictures.h"
#include "train/ema.h"
#include "train/schedule.h"

namespace nowhere {
namespace {

constexpr int kMaxReloads = 5;

double number(const torch::Tensor& scalar) {
  return scalar.defined() ? scalar.to(torch::kDouble).item<double>() : 0;
}

}  // namespace

Trainer::Trainer(TrainerContext context, const std::optional<LoadedCheckpoint>& checkpoint)
    : context_(std::move(context)),
      config_(context_.config),
      players_(config_, context_.device, context_.precision),
      step_(config_, players_, context_.device, context_.precision),
      data_(epoch_data(config_, context_.source.photos(), context_.photos)),
      noise_(draw_input(kFixedVectors, config_.model.nz, config_.seed, Purpose::kFixedNoise)),
      background_([](const std::string& reason) { print_message("nowhere: " + reason + "\n"); }),
      checkpoints_(context_.run, config_, background_,
                   [this](uint64_t epoch, double seconds) { recorder_->saved(epoch, seconds); }),
      scorer_(config_, context_.source, context_.photos),
      profiler_(config_, context_.device, context_.run.events(), trace_),
      machine_({}, config_.dataroot),
      health_(config_),
      course_(config_, progress_) {
  const std::string changed = checkpoint ? restore(*checkpoint) : "";
  recorder_.emplace(context_.run, config_, progress_.images, background_, context_.metrics);
  open_loader();
  if (!checkpoint && context_.initial) recorder_->say(begin_with(*context_.initial, players_));
  if (!checkpoint) return;
  if (!changed.empty()) recorder_->warn(changed);
  if (const auto warning = schedule_warning(config_, checkpoint->value)) recorder_->warn(*warning);
  complete(checkpoint->name);
}

Trainer::~Trainer() {
  background_.finish();  // its jobs use what is destroyed before it
}

// A warning when the data are no longer what they were, which an epoch under way does not allow.
std::string Trainer::restore(const LoadedCheckpoint& checkpoint) {
  Restored restored = restore_snapshot(checkpoint.value, players_, config_.model, printable(checkpoint.file));
  const std::string changed = differences(restored.data, data_);
  if (!changed.empty() && restored.progress.batches > 0)
    throw usage_error(
        fmt::format("{} lies within an epoch, and {}; go on as it was, or from a whole epoch with --s-epoch",
                    printable(checkpoint.file), changed));
  progress_ = std::move(restored.progress);
  progress_.epoch = std::max(progress_.epoch, checkpoint.name.epoch);
  saved_step_ = progress_.step;
  const bool new_minutes = context_.minutes_given && (progress_.planned_steps <= progress_.step ||
                                                      saved_minutes(checkpoint.value) != config_.max_minutes);
  if (config_.max_minutes == 0 || !changed.empty() || new_minutes) progress_.planned_steps = 0;
  pictures_ = std::move(restored.pictures);
  if (restored.noise.defined()) noise_ = {restored.noise, {}};
  return changed.empty() ? ""
                         : fmt::format("going on from {} with other batches than before: {}",
                                       printable(checkpoint.file), changed);
}

// What belongs to a checkpoint is written after it: of a run that was killed in between, it is missing.
void Trainer::complete(const CheckpointName& name) {
  const std::filesystem::path slim = context_.run.slim_checkpoint(name.epoch),
                              picture = context_.run.fixed_noise(name.epoch);
  std::error_code error;
  const bool has_slim = std::filesystem::exists(slim, error),
             has_picture = std::filesystem::exists(picture, error);
  if (name.within_epoch() || (has_slim && has_picture)) return;
  const Generator shown = generator();
  if (!has_slim)
    write_torch_file(slim, slim_checkpoint(shown, config_.model, progress_.epoch, progress_.images,
                                           context_.config_text, players_.frozen.get()));
  if (!has_picture) write_image(picture, make_sheet(make_images(*picture_backend(shown), noise_)));
}

void Trainer::open_loader() {
  if (loader_) time_ = time_so_far();  // what the one before took belongs to the run
  loader_.reset();                     // before the next one takes its memory
  LoaderConfig loader = config_.loader();
  loader.epochs = static_cast<uint64_t>(config_.n_epoch);
  loader.trace = &trace_;
  loader_ = std::make_unique<Loader>(context_.source,
                                     Sampler(context_.source.photos(), context_.photos, config_.sampler()),
                                     loader, LoaderState{config_.seed, progress_.epoch, progress_.batches});
  course_.set_batches(loader_->batches_per_epoch());
  if (progress_.step == 0 && progress_.epoch > 0) {  // the reference's checkpoints count epochs only
    progress_.step = progress_.epoch * loader_->batches_per_epoch();
    progress_.images = static_cast<int64_t>(progress_.step) * config_.batch_size;
  }
  logged_ = epoch_begin_ = time_so_far();
  logged_images_ = progress_.images;
  epoch_images_ = progress_.images;
}

Trainer::End Trainer::run() {
  if (course_.time_is_up()) return End::kDone;
  while (true)
    if (const auto end = train_epochs()) return *end;
}

// Nothing when training went back to a checkpoint and is to go on from there.
std::optional<Trainer::End> Trainer::train_epochs() {
  while (const auto batch = next_batch()) {
    count_unreadable(*batch);
    // By the run's steps, not the epoch's: log points are equally far apart, however long an epoch is.
    const bool log_due = progress_.step % static_cast<uint64_t>(config_.log_frequency) == 0;
    train_on(*batch, log_due);
    if (const auto planned = course_.after_step(watch_.seconds())) recorder_->say(*planned);
    if (log_due && !log(*batch)) return std::nullopt;
    recorder_->status(course_.position(*batch), latest_,
                      course_.seconds_left(latest_.images_per_second, watch_.seconds()));
    if (batch->last_of_epoch && !end_epoch()) return std::nullopt;

    const bool stopped = stop_requested();
    const bool time_up = course_.time_is_up();
    const bool save_due =
        config_.save_minutes > 0 && watch_.seconds() - last_save_ > config_.save_minutes * 60;
    const bool saved = batch->last_of_epoch && last_save_epoch_ == progress_.epoch;
    // A save that finds weights gone bad goes back to the last good checkpoint, which is where a stop leaves
    // it too.
    if ((stopped || time_up || save_due) && !saved && !save() && !stopped && !time_up) return std::nullopt;
    if (stopped || time_up) {
      background_.finish();
      return stopped ? End::kStopped : End::kTimeUp;
    }
  }
  if (progress_.step > saved_step_) save();
  background_.finish();
  return End::kDone;
}

std::optional<Batch> Trainer::next_batch() {
  const DataWait wait;
  try {
    return loader_->next();
  } catch (const Error& error) {
    save_and_stop(error.what());
  }
}

// Photographs that cannot be read have others in their place: a few do no harm, many are a sign of something
// else.
void Trainer::count_unreadable(const Batch& batch) {
  if (batch.number == 0) epoch_unreadable_ = 0;
  epoch_unreadable_ += batch.replaced;
  if (batch.replaced == 0) return;
  const std::string reason = loader_->counts().first_failure;
  if (!std::exchange(told_unreadable_, true))
    recorder_->warn(
        fmt::format("a photograph cannot be read, and another takes its place: {}; "
                    "the line of each epoch counts them",
                    reason));
  const double epoch_photographs =
      static_cast<double>(loader_->batches_per_epoch()) * static_cast<double>(config_.batch_size);
  if (static_cast<double>(epoch_unreadable_) > config_.max_unreadable * epoch_photographs)
    save_and_stop(
        fmt::format("{} of the {:.0f} photographs of an epoch cannot be read, "
                    "more than --max-unreadable {:g} allows; the first: {}",
                    epoch_unreadable_, epoch_photographs, config_.max_unreadable, reason));
}

// Ends a run whose data cannot be read, with all that was learnt on the disk.
void Trainer::save_and_stop(const std::string& reason) {
  const bool learnt = progress_.step > saved_step_;
  if (learnt) save();
  background_.finish();
  const auto newest = context_.run.checkpoints();
  throw data_error(
      fmt::format("{}; {}", reason,
                  newest.empty() || last_save_failed()
                      ? "nothing was saved"
                      : fmt::format("the run is saved in {}; mend the data, and --resume goes on",
                                    printable(context_.run.file(newest.front())))));
}

void Trainer::train_on(const Batch& batch, bool measured) {
  Stopwatch watch;
  real_ = float_batch(batch, config_.model.img_size, config_.model.nc).to(context_.device);
  const GeneratorInput input = draw_input(static_cast<int64_t>(batch.count), config_.model.nz, config_.seed,
                                          Purpose::kLatent, {progress_.step})
                                   .to(context_.device);
  players_.generator.adam.config().lr = players_.discriminator.adam.config().lr = course_.learning_rate();
  result_ = step_(real_, input, progress_.step, measured);
  ++progress_.step;
  progress_.images += static_cast<int64_t>(batch.count);
  progress_.epoch = batch.epoch + (batch.last_of_epoch ? 1 : 0);
  progress_.batches = batch.last_of_epoch ? 0 : batch.number + 1;
  if (players_.average)
    update_ema(players_.generator.network, *players_.average,
               ema_keep(static_cast<int64_t>(batch.count), progress_.images, config_.ema_kimg * 1000,
                        config_.ema_share));
  time_.device += watch.seconds();
  profile();
}

void Trainer::profile() {
  try {
    if (const auto files = profiler_.after_step())
      recorder_->say(fmt::format("profile: {} (for TensorBoard, Perfetto or chrome://tracing), operators: {}",
                                 printable(files->trace), printable(files->operators)));
  } catch (const std::exception& error) {
    recorder_->warn(fmt::format("the profile was not written: {}", error.what()));
  }
}

LogPoint Trainer::measure(const Batch& batch) {
  Stopwatch watch;
  LogPoint point;
  static_cast<Position&>(point) = course_.position(batch);
  point.step = progress_.step;
  point.images = progress_.images;
  point.d_loss = number(result_.d_loss);  // on an accelerator, this waits for all that was queued
  time_.device += watch.lap();
  point.g_loss = number(result_.g_loss);
  point.d_x = number(result_.d_x);
  point.d_g_z1 = number(result_.d_g_z1);
  point.d_g_z2 = number(result_.d_g_z2);
  point.d_gradient = number(result_.d_gradient);
  point.g_gradient = number(result_.g_gradient);
  point.lr = players_.generator.adam.config().lr;
  point.diversity = number(diversity_ratio(result_.fake, real_));
  point.machine = machine_.sample();
  point.replaced = loader_->counts().replaced;
  time_.other += watch.lap();
  const TimeSplit now = time_so_far();
  point.time = now - logged_;
  point.bottleneck =
      bottleneck(point.time, context_.source.description().starts_with("packed"), context_.device.is_cpu())
          .finding;
  if (point.time.total() > 0)
    point.images_per_second = static_cast<double>(progress_.images - logged_images_) / point.time.total();
  logged_ = now;
  logged_images_ = progress_.images;
  return point;
}

// False when the run went back to a checkpoint.
bool Trainer::log(const Batch& batch) {
  latest_ = measure(batch);
  if (!latest_.finite()) {
    reload_last_checkpoint(fmt::format("the losses are no longer numbers (D {}, G {}) in epoch {}, step {}",
                                       latest_.d_loss, latest_.g_loss, latest_.epoch, latest_.batch));
    return false;
  }
  const Stopwatch watch;
  progress_.losses.add(latest_.g_loss, latest_.d_loss);
  recorder_->point(latest_);
  if (const auto warning =
          health_.watch({latest_.step, latest_.diversity, latest_.d_x, latest_.d_g_z1, latest_.d_loss}))
    recorder_->warn(*warning);
  if (config_.histograms)
    for (const auto& item : players_.generator.network->named_parameters()) {
      const torch::Tensor values = item.value().detach().to(torch::kCPU).contiguous().flatten();
      const float* begin = values.const_data_ptr<float>();
      recorder_->histogram("G/" + item.key(), progress_.images, {begin, begin + values.numel()});
    }
  time_.other += watch.seconds();
  return true;
}

// False when saving found that the run has to go back.
bool Trainer::end_epoch() {
  const TimeSplit now = time_so_far();
  recorder_->epoch(progress_.epoch, progress_.images, progress_.images - epoch_images_, epoch_unreadable_,
                   now - epoch_begin_);
  epoch_begin_ = now;
  epoch_images_ = progress_.images;
  if (progress_.epoch % static_cast<uint64_t>(config_.save_frequency) == 0 || course_.at_the_end())
    return save();
  return true;
}

// Between epochs with all that belongs to it, within one the checkpoint alone. False when the weights are no
// longer numbers, and the run went back to a checkpoint.
bool Trainer::save() {
  if (!weights_finite()) return reload_last_checkpoint("the weights are no longer numbers"), false;
  Stopwatch watch;
  const bool whole = progress_.batches == 0;
  std::optional<Generator> shown;
  Image grid;
  Checkpoints::Save save{.epoch = progress_.epoch, .batches = progress_.batches};
  if (whole) {
    shown = generator();
    const torch::Tensor pictures = make_pictures(*picture_backend(*shown), noise_).permute({0, 3, 1, 2});
    pictures_.add(pictures);
    grid = make_sheet(to_images(pictures));
    save.score = scorer_.score(*shown, progress_.epoch, latest_);
  }
  time_.other += watch.lap();
  background_.finish();  // two snapshots in memory at once would be one too many
  save.full = make_snapshot({players_, progress_, config_.model.architecture, context_.config_text, data_,
                             noise_.latent, pictures_});
  if (whole)
    save.slim = slim_checkpoint(*shown, config_.model, progress_.epoch, progress_.images,
                                context_.config_text, players_.frozen.get());
  checkpoints_.save(std::move(save));
  time_.checkpoint += watch.lap();
  if (whole) {
    recorder_->pictures("fixed_noise", progress_.images, grid);
    background_.post([path = context_.run.fixed_noise(progress_.epoch), grid] { write_image(path, grid); });
  }
  last_save_ = watch_.seconds();
  saved_step_ = progress_.step;
  last_save_epoch_ = whole ? progress_.epoch : ~uint64_t{0};
  return true;
}

Generator Trainer::generator() {
  return players_.average ? calibrated(*players_.average, config_.model) : players_.generator.network;
}

bool Trainer::weights_finite() const {
  for (const auto& parameters :
       {players_.generator.adam.parameters(), players_.discriminator.adam.parameters()})
    if (!std::isfinite(number(torch::stack(at::_foreach_norm(parameters, 2)).sum()))) return false;
  return true;
}

// To the last checkpoint with half the rate; an error where that is not wanted or has not helped.
void Trainer::reload_last_checkpoint(const std::string& reason) {
  background_.finish();
  std::optional<LoadedCheckpoint> last =
      newest_checkpoint(context_.run, [&](const auto& line) { recorder_->warn(line); });
  const std::string good =
      last ? "the last good checkpoint is " + printable(last->file) : "there is no checkpoint yet";
  if (config_.on_nan == OnNan::kStop || !last || reloads_ == kMaxReloads)
    throw Error(fmt::format("{}; {}; {}", reason, good,
                            reloads_ == kMaxReloads
                                ? fmt::format("going back {} times has not helped: lower --lr", kMaxReloads)
                                : "lower --lr and --resume, or let --on-nan reload do it"));
  ++reloads_;
  const double share = progress_.lr_share / 2;
  restore(*last);
  latest_ = {};
  progress_.lr_share = share;
  // What was recorded since is forgotten, as after any resume.
  recorder_.emplace(context_.run, config_, progress_.images, background_, context_.metrics);
  recorder_->warn(fmt::format("{}; going back to {} with lr {:g}", reason, printable(last->file),
                              course_.learning_rate()));
  open_loader();
}

TimeSplit Trainer::time_so_far() const {
  TimeSplit time = time_;
  const LoaderCounts counts = loader_->counts();
  time.waiting += counts.wait_seconds;
  time.reading += counts.read_seconds;
  time.decoding += counts.decode_seconds;
  time.resizing += counts.resize_seconds;
  return time;
}

}  // namespace nowhere
