#include "data/loader.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <new>

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr std::align_val_t kAlignment{64};

struct AlignedDelete {
  void operator()(void* memory) const { ::operator delete(memory, kAlignment); }
};
template <class T>
using AlignedArray = std::unique_ptr<T[], AlignedDelete>;

template <class T>
AlignedArray<T> aligned_array(size_t count) {
  return AlignedArray<T>(static_cast<T*>(::operator new(count * sizeof(T), kAlignment)));
}

uint64_t count_batches(size_t samples, const LoaderConfig& config) {
  const auto batch = static_cast<size_t>(config.batch);
  const uint64_t batches = config.drop_last ? samples / batch : (samples + batch - 1) / batch;
  if (batches == 0)
    throw data_error(fmt::format("{} cannot fill a batch of {}; take a smaller batch or more photographs",
                                 counted(static_cast<int64_t>(samples), "photograph"), config.batch));
  return batches;
}

// A packed file may hold less of each photograph than samples are to show, or not know how large it was.
void check_crop(const Source& source, const SampleConfig& sample) {
  CropSize wanted = sample.augment.crop_size;
  if (wanted.unit == CropSize::Unit::kSamples)
    wanted = {CropSize::Unit::kPixels, wanted.amount * sample.size};
  const bool in_pixels = wanted.unit == CropSize::Unit::kPixels;
  if (in_pixels && !source.knows_photo_sizes())
    throw usage_error(
        fmt::format("{} does not say how large its photographs were, so {} pixels of them cannot be cut; "
                    "pack them again, or give --crop-size as a share of the height, such as 0.5",
                    source.name(), wanted.amount));
  const CropSize held = source.crop_size();
  if (held.is_full() || (held.unit == wanted.unit && wanted.amount <= held.amount)) return;
  throw usage_error(
      fmt::format("{} holds the middle {} of each photograph only, and samples are to show {}; "
                  "give --crop-size {}, or pack without it",
                  source.name(), held.text(), wanted.text(), held.text()));
}

// Jobs from the start state to the end of the last epoch. Every batch counts as full; the samples that a
// short one lacks are jobs that do nothing.
uint64_t count_jobs(const LoaderConfig& config, const LoaderState& start, uint64_t batches_per_epoch) {
  if (config.epochs == 0) return std::numeric_limits<uint64_t>::max();
  const uint64_t begin = start.epoch * batches_per_epoch + start.batches;
  const uint64_t end = config.epochs * batches_per_epoch;
  return end > begin ? (end - begin) * static_cast<uint64_t>(config.batch) : 0;
}

// "001.jpg: damaged JPEG"; reasons that name the file already stay as they are.
std::string describe_failure(const Photos& photos, uint32_t photo, const std::string& reason) {
  const std::string name = printable_text(photos.file_name(photos.all[photo]));
  return reason.find(name) != std::string::npos ? reason : name + ": " + reason;
}

}  // namespace

struct Loader::Slot {
  AlignedArray<float> floats;
  AlignedArray<uint8_t> bytes;
  std::vector<uint32_t> photos;
  std::vector<uint8_t> replaced;  // whether another photograph stands in; not vector<bool>: threads share it
};

// What one thread keeps from sample to sample.
struct Loader::Worker {
  SampleMaker maker;
  Source::Scratch scratch;
  LoaderCounts counts = {};  // since the last time they were handed in
};

Loader::Loader(const Source& source, Sampler sampler, LoaderConfig config, LoaderState state)
    : source_(source),
      sampler_(std::move(sampler)),
      config_(config),
      start_(state),
      sample_values_(static_cast<size_t>(config.sample.size) * static_cast<size_t>(config.sample.size) *
                     kChannels),
      batches_per_epoch_(count_batches(sampler_.size(), config_)),
      jobs_(count_jobs(config_, start_, batches_per_epoch_)),
      read_ahead_(source_,
                  {static_cast<uint64_t>(config.read_ahead) * static_cast<uint64_t>(config.batch),
                   config.read_ahead_bytes},
                  [this](uint64_t job) { return photo_of(job); }),
      slots_(static_cast<size_t>(std::max(config.ahead, 2))),
      ring_(slots_.size(), static_cast<uint64_t>(config.batch), jobs_) {
  check_crop(source_, config_.sample);
  const auto batch = static_cast<size_t>(config_.batch);
  for (Slot& slot : slots_) {
    if (config_.pixels == PixelType::kFloat)
      slot.floats = aligned_array<float>(batch * sample_values_);
    else
      slot.bytes = aligned_array<uint8_t>(batch * sample_values_);
    slot.photos.resize(batch);
    slot.replaced.resize(batch);
  }
  if (config_.sample.noise > 0) normal_ = std::make_unique<const NormalTable>();
  threads_ = start_workers(ring_, config_.threads, [this] { run(); });
}

Loader::~Loader() {
  ring_.close();
}

void Loader::run() {
  Worker worker{SampleMaker(config_.sample, normal_.get())};
  while (const auto job = ring_.claim()) {
    fill(worker, *job);
    ring_.finish(*job);
  }
}

Loader::Order Loader::order(uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  const size_t place = epoch % 2;
  if (order_epochs_[place] != epoch) {
    orders_[place] = std::make_shared<const EpochOrder>(sampler_.order(epoch));
    order_epochs_[place] = epoch;
  }
  return orders_[place];
}

size_t Loader::batch_size(uint64_t number) const {
  const auto batch = static_cast<size_t>(config_.batch);
  return std::min(batch, sampler_.size() - number * batch);
}

Loader::Place Loader::place_of(uint64_t job) const {
  const auto batch_samples = static_cast<uint64_t>(config_.batch);
  const uint64_t batch = start_.epoch * batches_per_epoch_ + start_.batches + job / batch_samples;
  return {batch / batches_per_epoch_, batch % batches_per_epoch_, static_cast<size_t>(job % batch_samples)};
}

std::optional<uint32_t> Loader::photo_of(uint64_t job) {
  const Place place = place_of(job);
  if (place.in_batch >= batch_size(place.batch)) return std::nullopt;
  return (*order(
      place.epoch))[static_cast<size_t>(place.batch) * static_cast<size_t>(config_.batch) + place.in_batch];
}

// The end of the next epoch: the orders of two are kept.
uint64_t Loader::end_of_read_ahead(uint64_t job) const {
  const uint64_t batches_left = 2 * batches_per_epoch_ - place_of(job).batch;
  return std::min(jobs_, (job / static_cast<uint64_t>(config_.batch) + batches_left) *
                             static_cast<uint64_t>(config_.batch));
}

void Loader::fill(Worker& worker, uint64_t job) {
  const auto found = photo_of(job);
  if (!found) return;
  const uint32_t photo = *found;
  const Stopwatch asking;
  read_ahead_.reading(job, end_of_read_ahead(job));
  worker.counts.read_seconds += asking.seconds();
  const uint64_t epoch = place_of(job).epoch;
  const size_t place = place_of(job).in_batch;
  Slot& slot = slots_[ring_.slot_of(job)];
  slot.photos[place] = photo;
  const uint64_t replaced = worker.counts.replaced;
  make_sample(worker, epoch, photo, slot, place);
  slot.replaced[place] = worker.counts.replaced > replaced;
  const std::lock_guard lock(mutex_);
  counts_.replaced += std::exchange(worker.counts.replaced, 0);
  counts_.read_seconds += std::exchange(worker.counts.read_seconds, 0);
  counts_.decode_seconds += std::exchange(worker.counts.decode_seconds, 0);
  counts_.resize_seconds += std::exchange(worker.counts.resize_seconds, 0);
  if (counts_.first_failure.empty()) counts_.first_failure = std::move(worker.counts.first_failure);
}

// The frame of a photograph, or of another when it cannot be read.
PhotoFrame Loader::read_frame(Worker& worker, uint64_t epoch, uint32_t photo) {
  constexpr uint64_t kMaxReplacements = 100;
  const Detail detail{config_.sample.size, config_.sample.augment.crop_size};
  auto frame = source_.frame(photo, detail, worker.scratch);
  for (uint64_t attempt = 0; !frame; ++attempt) {
    if (worker.counts.first_failure.empty())
      worker.counts.first_failure = describe_failure(source_.photos(), photo, frame.error().reason);
    if (attempt == kMaxReplacements)
      throw data_error(fmt::format("{}: {} photographs in a row cannot be read, the last because: {}",
                                   source_.name(), kMaxReplacements, frame.error().reason));
    // Any photograph of the epoch may replace it; which one depends on the broken one alone.
    const auto photographs = order(epoch);
    Random replacement(start_.seed, Purpose::kReplace, {epoch, photo, attempt});
    frame = source_.frame((*photographs)[replacement.below(photographs->size())], detail, worker.scratch);
    if (attempt == 0) ++worker.counts.replaced;
  }
  return *frame;
}

void Loader::make_sample(Worker& worker, uint64_t epoch, uint32_t photo, Slot& slot, size_t place) {
  Stopwatch watch;
  const double decoded_before = worker.scratch.decoder.seconds();
  const bool traced = config_.trace != nullptr && config_.trace->running();
  const auto begin = traced ? Trace::Clock::now() : Trace::Clock::time_point();
  const PhotoFrame frame = read_frame(worker, epoch, photo);
  const double decode_seconds = worker.scratch.decoder.seconds() - decoded_before;
  worker.counts.decode_seconds += decode_seconds;
  worker.counts.read_seconds += watch.lap() - decode_seconds;
  const auto middle = traced ? Trace::Clock::now() : Trace::Clock::time_point();
  // Whatever is drawn is keyed on the photograph and the epoch, so neither threads nor the batch size matter.
  const SampleDraws draws(start_.seed, epoch, photo);
  if (config_.pixels == PixelType::kByte)
    worker.maker.bytes(frame, draws, slot.bytes.get() + place * sample_values_);
  else
    worker.maker.floats(frame, draws, slot.floats.get() + place * sample_values_);
  worker.counts.resize_seconds += watch.lap();
  if (!traced) return;
  config_.trace->record("read and decode", begin, middle);
  config_.trace->record("crop and resize", middle, Trace::Clock::now());
}

std::optional<Batch> Loader::next() {
  if (holding_) ring_.release();
  holding_ = false;
  const Stopwatch watch;
  const auto index = ring_.front();
  wait_seconds_ += watch.seconds();
  if (!index) return std::nullopt;
  holding_ = true;
  const Slot& slot = slots_[*index];
  const uint64_t batch = start_.epoch * batches_per_epoch_ + start_.batches + given_++;
  Batch result;
  result.floats = slot.floats.get();
  result.bytes = slot.bytes.get();
  result.epoch = batch / batches_per_epoch_;
  result.number = batch % batches_per_epoch_;
  result.count = batch_size(result.number);
  result.last_of_epoch = result.number + 1 == batches_per_epoch_;
  result.photos = std::span(slot.photos).first(result.count);
  const auto replaced = std::span(slot.replaced).first(result.count);
  result.replaced = static_cast<size_t>(std::count(replaced.begin(), replaced.end(), 1));
  return result;
}

LoaderCounts Loader::counts() const {
  const std::lock_guard lock(mutex_);
  LoaderCounts counts = counts_;
  counts.wait_seconds = wait_seconds_;
  return counts;
}

}  // namespace nowhere
