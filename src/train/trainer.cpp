#include "train/trainer.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "train/ema.h"
#include "train/schedule.h"

namespace nowhere {
namespace {

constexpr int kMaxReloads = 5;
constexpr uint64_t kCheckWeights = 100;  // steps between comparisons of the ranks' weights

double number(const torch::Tensor& scalar) {
  return scalar.defined() ? scalar.to(torch::kDouble).item<double>() : 0;
}

}  // namespace

Trainer::Trainer(TrainerContext context, const std::optional<LoadedCheckpoint>& checkpoint)
    : context_(std::move(context)),
      config_(context_.config),
      ranks_(context_.group),
      step_images_(int64_t{config_.batch_size} * ranks_.size()),
      draw_seed_(rank_seed(config_.seed, ranks_.rank())),
      players_(config_, context_.device, context_.precision),
      step_(config_, players_, context_.device, context_.precision, context_.group),
      data_(epoch_data(config_, context_.source.photos(), context_.photos, ranks_.size())),
      machine_({}, config_.dataroot),
      health_(config_),
      course_(config_, progress_, step_images_) {
  std::string changed, taken;
  if (ranks_.is_main()) {
    profiler_.emplace(config_, context_.device, context_.run.events(), trace_);
    keeper_ = std::make_unique<RunKeeper>(context_, players_, data_);
    if (checkpoint)
      changed = restore(*checkpoint);
    else if (context_.initial)
      taken = begin_with(*context_.initial, players_);
    keeper_->record_from(progress_.images);
  }
  ranks_.share(players_, progress_);
  saved_step_ = progress_.step;
  if (ranks_.group() != nullptr) players_.join(*ranks_.group(), config_);
  open_loader();
  if (!taken.empty()) keeper_->recorder().say(taken);
  if (!changed.empty()) warn(changed);
  if (!checkpoint) return;
  if (const auto warning = schedule_warning(config_, checkpoint->value)) warn(*warning);
  keeper_->complete(checkpoint->name, progress_);
}

void Trainer::warn(const std::string& line) {
  if (keeper_)
    keeper_->recorder().warn(line);
  else
    print_message(fmt::format("nowhere: {}\n", line));
}

// A warning when the data are no longer what they were, which an epoch under way does not allow, or when the
// number of ranks is another, which it does.
std::string Trainer::restore(const LoadedCheckpoint& checkpoint) {
  Restored restored = restore_snapshot(checkpoint.value, players_, config_.model, printable(checkpoint.file));
  std::string changed = differences(restored.data, data_);
  if (!changed.empty() && restored.progress.batches > 0) {
    const auto later = go_on_with_other_ranks(restored.data, data_, restored.progress.batches);
    if (!later)
      throw usage_error(fmt::format(
          "{} lies within an epoch, and {}; go on as it was, or from a whole epoch with --s-epoch",
          printable(checkpoint.file), changed));
    restored.progress.batches = later->batches;
    if (later->skipped > 0)
      changed += fmt::format("; {} of this epoch are left out", counted(later->skipped, "photograph"));
  }
  progress_ = std::move(restored.progress);
  progress_.epoch = std::max(progress_.epoch, checkpoint.name.epoch);
  const bool new_minutes = context_.minutes_given && (progress_.planned_steps <= progress_.step ||
                                                      saved_minutes(checkpoint.value) != config_.max_minutes);
  if (config_.max_minutes == 0 || !changed.empty() || new_minutes) progress_.planned_steps = 0;
  keeper_->restore(std::move(restored.pictures), restored.noise);
  return changed.empty() ? ""
                         : fmt::format("going on from {} with other batches than before: {}",
                                       printable(checkpoint.file), changed);
}

void Trainer::open_loader() {
  if (loader_) time_ = time_so_far();  // what the one before took belongs to the run
  batches_.reset();
  loader_.reset();  // before the next one takes its memory
  LoaderConfig loader = config_.loader();
  loader.epochs = static_cast<uint64_t>(config_.n_epoch);
  loader.trace = &trace_;
  SamplerConfig order = config_.sampler();
  order.rank = ranks_.rank();
  order.world_size = ranks_.size();
  Sampler sampler(context_.source.photos(), context_.photos, order);
  if (progress_.batches >= sampler.size() / static_cast<size_t>(config_.batch_size)) {
    // The end of an epoch is cut off where another number of ranks goes on within it.
    progress_.epoch += progress_.batches > 0 ? 1 : 0;
    progress_.batches = 0;
  }
  loader_ = std::make_unique<Loader>(context_.source, std::move(sampler), loader,
                                     LoaderState{config_.seed, progress_.epoch, progress_.batches});
  batches_.emplace(*loader_, config_, context_.device);
  course_.set_batches(loader_->batches_per_epoch());
  if (progress_.step == 0 && progress_.epoch > 0) {  // the reference's checkpoints count epochs only
    progress_.step = progress_.epoch * loader_->batches_per_epoch();
    progress_.images = static_cast<int64_t>(progress_.step) * step_images_;
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
  for (auto batch = next_batch();; batch = next_batch()) {
    decide();
    if (decision_.failed) save_and_stop();
    const bool stopped = decision_.stop_signal != 0, time_up = course_.time_is_up();
    const bool saved = progress_.step == saved_step_;
    // A save that finds weights gone bad goes back to the last good checkpoint, which is where a stop leaves
    // it too.
    if ((stopped || time_up || decision_.save) && !saved && !save() && !stopped && !time_up)
      return std::nullopt;
    if (stopped || time_up || !batch) {
      if (!stopped && !time_up && progress_.step > saved_step_) save();
      if (keeper_) keeper_->finish();
      return stopped ? End::kStopped : time_up ? End::kTimeUp : End::kDone;
    }
    // By the run's steps, not the epoch's: log points are equally far apart, however long an epoch is.
    const bool log_due = progress_.step % static_cast<uint64_t>(config_.log_frequency) == 0;
    train_on(*batch, log_due);
    if (!after_step(*batch, log_due)) return std::nullopt;
  }
}

// False when the run went back to a checkpoint.
bool Trainer::after_step(const Batch& batch, bool log_due) {
  if (progress_.step % kCheckWeights == 0) ranks_.check_weights(players_, progress_.step);
  if (keeper_)
    if (const auto planned = course_.after_step(budget_seconds())) keeper_->recorder().say(*planned);
  if (log_due && !log(batch)) return false;
  if (keeper_)
    keeper_->recorder().status(course_.position(batch), latest_,
                               course_.seconds_left(latest_.images_per_second, budget_seconds()));
  return !batch.last_of_epoch || end_epoch();
}

// What follows from a clock, a signal or a failure is settled by all ranks together, before each step.
void Trainer::decide() {
  Decision own{.stop_signal = nowhere::stop_signal(), .failed = !failure_.empty()};
  if (keeper_) {
    own.save = config_.save_minutes > 0 && watch_.seconds() - last_save_ > config_.save_minutes * 60;
    own.planned_steps = progress_.planned_steps;
  }
  decision_ = ranks_.agree(own);
  progress_.planned_steps = decision_.planned_steps;
}

std::optional<DeviceBatch> Trainer::next_batch() {
  const DataWait wait;
  try {
    auto batch = batches_->next();
    if (batch) count_unreadable(*batch);
    return batch;
  } catch (const Error& error) {
    failure_ = error.what();
    return std::nullopt;
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
    warn(
        fmt::format("a photograph cannot be read, and another takes its place: {}; "
                    "the line of each epoch counts them",
                    reason));
  const double epoch_photographs =
      static_cast<double>(loader_->batches_per_epoch()) * static_cast<double>(config_.batch_size);
  if (static_cast<double>(epoch_unreadable_) > config_.max_unreadable * epoch_photographs)
    failure_ = fmt::format(
        "{} of the {:.0f} photographs of an epoch cannot be read, "
        "more than --max-unreadable {:g} allows; the first: {}",
        epoch_unreadable_, epoch_photographs, config_.max_unreadable, reason);
}

// Ends a run whose data cannot be read, with all that was learnt on the disk.
void Trainer::save_and_stop() {
  const std::string reason = ranks_.first_failure(failure_);
  if (progress_.step > saved_step_) save();
  if (!keeper_) throw data_error(reason);
  keeper_->finish();
  const auto newest = context_.run.checkpoints();
  throw data_error(
      fmt::format("{}; {}", reason,
                  newest.empty() || last_save_failed()
                      ? "nothing was saved"
                      : fmt::format("the run is saved in {}; mend the data, and --resume goes on",
                                    printable(context_.run.file(newest.front())))));
}

void Trainer::train_on(const DeviceBatch& batch, bool measured) {
  Stopwatch watch;
  real_ = batch.pictures;
  const GeneratorInput input = draw_input(static_cast<int64_t>(batch.count), config_.model.nz, draw_seed_,
                                          Purpose::kLatent, {progress_.step})
                                   .to(context_.device);
  players_.generator.adam.config().lr = players_.discriminator.adam.config().lr = course_.learning_rate();
  result_ = step_(real_, input, progress_.step, measured);
  ++progress_.step;
  progress_.images += step_images_;
  progress_.epoch = batch.epoch + (batch.last_of_epoch ? 1 : 0);
  progress_.batches = batch.last_of_epoch ? 0 : batch.number + 1;
  if (players_.average)
    update_ema(players_.generator.network, *players_.average,
               ema_keep(step_images_, progress_.images, config_.ema_kimg * 1000, config_.ema_share));
  time_.device += watch.seconds();
  profile();
}

void Trainer::profile() {
  if (!profiler_) return;
  try {
    if (const auto files = profiler_->after_step())
      keeper_->recorder().say(
          fmt::format("profile: {} (for TensorBoard, Perfetto or chrome://tracing), operators: {}",
                      printable(files->trace), printable(files->operators)));
  } catch (const std::exception& error) {
    warn(fmt::format("the profile was not written: {}", error.what()));
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
  std::array<double, 8> figures{point.d_loss, point.g_loss,     point.d_x,        point.d_g_z1,
                                point.d_g_z2, point.d_gradient, point.g_gradient, point.diversity};
  ranks_.average(figures);
  std::tie(point.d_loss, point.g_loss, point.d_x, point.d_g_z1, point.d_g_z2, point.d_gradient,
           point.g_gradient, point.diversity) = std::tuple_cat(figures);
  point.machine = machine_.sample();
  point.replaced = ranks_.sum(loader_->counts().replaced);
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
  if (!keeper_) return true;
  progress_.losses.add(latest_.g_loss, latest_.d_loss);
  keeper_->recorder().point(latest_);
  if (const auto warning =
          health_.watch({latest_.step, latest_.diversity, latest_.d_x, latest_.d_g_z1, latest_.d_loss}))
    warn(*warning);
  if (config_.histograms)
    for (const auto& item : players_.generator.network->named_parameters()) {
      const torch::Tensor values = item.value().detach().to(torch::kCPU).contiguous().flatten();
      const float* begin = values.const_data_ptr<float>();
      keeper_->recorder().histogram("G/" + item.key(), progress_.images, {begin, begin + values.numel()});
    }
  time_.other += watch.seconds();
  return true;
}

// False when saving found that the run has to go back.
bool Trainer::end_epoch() {
  const TimeSplit now = time_so_far();
  const uint64_t unreadable = ranks_.sum(epoch_unreadable_);
  if (keeper_)
    keeper_->recorder().epoch(progress_.epoch, progress_.images, progress_.images - epoch_images_, unreadable,
                              now - epoch_begin_);
  epoch_begin_ = now;
  epoch_images_ = progress_.images;
  if (progress_.epoch % static_cast<uint64_t>(config_.save_frequency) == 0 || course_.at_the_end())
    return save();
  return true;
}

// False when the weights are no longer numbers, and the run went back to a checkpoint.
bool Trainer::save() {
  if (!weights_finite()) return reload_last_checkpoint("the weights are no longer numbers"), false;
  ranks_.check_weights(players_, progress_.step);
  if (keeper_) {
    const TimeSplit spent = keeper_->save(progress_, latest_);
    time_.other += spent.other;
    time_.checkpoint += spent.checkpoint;
  }
  last_save_ = watch_.seconds();
  saved_step_ = progress_.step;
  return true;
}

bool Trainer::weights_finite() const {
  for (const auto& parameters :
       {players_.generator.adam.parameters(), players_.discriminator.adam.parameters()})
    if (!std::isfinite(number(torch::stack(at::_foreach_norm(parameters, 2)).sum()))) return false;
  return true;
}

// To the last checkpoint with half the rate; an error where that is not wanted or has not helped.
void Trainer::reload_last_checkpoint(const std::string& reason) {
  std::optional<LoadedCheckpoint> last;
  if (keeper_) {
    keeper_->finish();
    last = newest_checkpoint(context_.run, [&](const auto& line) { warn(line); });
  }
  const bool found = ranks_.from_main(last.has_value(), "whether there is a checkpoint");
  const std::string good = last    ? "the last good checkpoint is " + printable(last->file)
                           : found ? "rank 0 has a good checkpoint"
                                   : "there is no checkpoint yet";
  if (config_.on_nan == OnNan::kStop || !found || reloads_ == kMaxReloads)
    throw Error(fmt::format("{}; {}; {}", reason, good,
                            reloads_ == kMaxReloads
                                ? fmt::format("going back {} times has not helped: lower --lr", kMaxReloads)
                                : "lower --lr and --resume, or let --on-nan reload do it"));
  ++reloads_;
  const double share = progress_.lr_share / 2;
  if (keeper_) restore(*last);
  progress_.lr_share = share;
  ranks_.share(players_, progress_);
  saved_step_ = progress_.step;
  latest_ = {};
  if (keeper_) {
    // What was recorded since is forgotten, as after any resume.
    keeper_->record_from(progress_.images);
    warn(fmt::format("{}; going back to {} with lr {:g}", reason, printable(last->file),
                     course_.learning_rate()));
  }
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
