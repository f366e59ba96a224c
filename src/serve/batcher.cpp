#include "serve/batcher.h"

#include <algorithm>
#include <exception>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/stopwatch.h"

namespace nowhere {

// Once it is submitted, only the inference thread touches it.
struct Batcher::Work {
  PaintJob job;
  std::shared_ptr<const void> place;
  Clock::time_point came = Clock::now();
  size_t begun = 0;    // pictures that are in a batch
  size_t painted = 0;  // pictures that are finished
  size_t turn = 0;     // pictures of the batch that is being made up
  std::vector<Image> pictures;
  bool ended = false;

  Work(PaintJob given, std::shared_ptr<const void> held)
      : job(std::move(given)), place(std::move(held)), pictures(job.points.size()) {}

  size_t left() const { return job.points.size() - begun; }
  void end(Painted::Outcome outcome, std::shared_ptr<Painter> painter = nullptr) {
    if (std::exchange(ended, true)) return;
    if (outcome != Painted::Outcome::kDone) pictures.clear();
    job.done({outcome, std::move(pictures), std::move(painter), std::move(place)});
  }
};

Batcher::Batcher(BatcherConfig config, Studio& studio)
    : config_(std::move(config)),
      studio_(studio),
      shelf_(studio, config_.painters),
      thread_([this] { run(); }) {}

Batcher::~Batcher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  for (const auto& work : waiting_) work->end(Painted::Outcome::kStopped);
}

// Of an epoch that is not loaded the size is not known: a run's pictures are all of one.
size_t Batcher::pixels_of(const PaintJob& job) const {
  constexpr int kLargest = 512;
  const std::shared_ptr<Painter> painter = job.model.painter ? job.model.painter : studio_.current();
  const auto side = static_cast<size_t>(painter ? painter->info().size : kLargest);
  return job.points.size() * side * side;
}

// With the mutex held.
std::shared_ptr<const void> Batcher::take_place(const PaintJob& job) {
  const size_t count = job.points.size(), bytes = pixels_of(job) * kChannels;
  const bool large = count > config_.max_batch;
  if (places_->all + count > config_.queue || places_->bytes + bytes > config_.max_bytes) return nullptr;
  if (large && places_->large + count > config_.queue / 2) return nullptr;
  places_->all += count;
  places_->bytes += bytes;
  if (large) places_->large += count;
  return {places_.get(), [places = places_, count, bytes, large](const void*) {
            places->all -= count;
            places->bytes -= bytes;
            if (large) places->large -= count;
          }};
}

// With the mutex held: whether not too many other epochs wait to be loaded.
bool Batcher::may_wait(const ModelChoice& model) const {
  if (!model.saved) return true;
  std::set<SavedEpoch> waiting = {*model.saved};
  for (const auto& work : waiting_)
    if (work->job.model.saved) waiting.insert(*work->job.model.saved);
  return waiting.size() <= config_.epochs;
}

bool Batcher::submit(PaintJob job) {
  if (job.points.empty()) throw std::invalid_argument("a job without pictures");
  const std::lock_guard lock(mutex_);
  if (stopping_ || !may_wait(job.model)) return false;
  auto place = take_place(job);
  if (place == nullptr) return false;
  waiting_.push_back(std::make_shared<Work>(std::move(job), std::move(place)));
  changed_.notify_all();
  return true;
}

void Batcher::run() {
  std::unique_lock lock(mutex_);
  while (wait_for_batch(lock)) {
    const auto late = take_late();
    const auto batch = take_batch();
    lock.unlock();
    for (const auto& work : late) work->end(Painted::Outcome::kLate);
    if (!batch.empty()) paint(batch);
    lock.lock();
  }
}

// Until a batch is full or has waited long enough; false at the end.
bool Batcher::wait_for_batch(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
  if (stopping_) return false;
  const auto first = waiting_.front();  // others come behind it
  changed_.wait_until(lock, first->came + config_.max_delay,
                      [&] { return stopping_ || waiting_for(first->job.model) >= config_.max_batch; });
  return !stopping_;
}

size_t Batcher::waiting_for(const ModelChoice& model) const {
  size_t pictures = 0;
  for (const auto& work : waiting_)
    if (work->job.model == model) pictures += work->left();
  return pictures;
}

std::vector<std::shared_ptr<Batcher::Work>> Batcher::take_late() {
  const auto now = Clock::now();
  std::vector<std::shared_ptr<Work>> late;
  for (const auto& work : waiting_)
    if (work->job.deadline <= now) late.push_back(work);
  std::erase_if(waiting_, [&](const auto& work) { return work->job.deadline <= now; });
  return late;
}

// Those who came first, a share of the batch each at the most, until it is full. Who had a share and wants more goes behind
// the others, and so do their models: a long morph leaves room for whoever asks for one picture. All others keep their
// place, also who was cut short by the batch's end: nobody is overtaken for ever.
std::vector<Batcher::Share> Batcher::take_batch() {
  std::vector<Share> batch;
  if (waiting_.empty()) return batch;
  const ModelChoice model = waiting_.front()->job.model;
  const size_t share = std::max<size_t>(1, config_.max_batch / 4);
  for (const auto& work : waiting_) work->turn = 0;
  for (size_t before = SIZE_MAX; batch.size() != before && batch.size() < config_.max_batch;) {
    before = batch.size();
    for (const auto& work : waiting_)
      for (size_t i = 0;
           i < share && work->job.model == model && work->left() > 0 && batch.size() < config_.max_batch;
           ++i, ++work->turn)
        batch.push_back({work, work->begun++});
  }
  std::list<std::shared_ptr<Work>> behind;
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const auto here = next++;
    if ((*here)->left() == 0)
      waiting_.erase(here);
    else if ((*here)->turn >= share)
      behind.splice(behind.end(), waiting_, here);
  }
  waiting_.splice(waiting_.end(), behind);
  return batch;
}

// None when it is gone or cannot be read.
std::shared_ptr<Painter> Batcher::painter_of(const ModelChoice& model) {
  if (!model.saved) return model.painter;
  try {
    return shelf_.get(*model.saved);
  } catch (const std::exception& error) {
    if (config_.on_error) config_.on_error(error.what());
    return nullptr;
  }
}

void Batcher::paint(const std::vector<Share>& batch) {
  std::shared_ptr<Painter> painter;
  std::vector<Image> pictures;
  try {
    painter = painter_of(batch.front().work->job.model);
    if (painter == nullptr) return fail(batch, Painted::Outcome::kGone);
    std::vector<Latent> latents;
    for (const Share& share : batch)
      latents.push_back(latent_of(share.work->job.points[share.index], painter->info().nz));
    const Stopwatch stopwatch;
    pictures = painter->paint(latents);
    if (pictures.size() != batch.size())
      throw std::logic_error("the painter gave another number of pictures");
    if (config_.on_batch) config_.on_batch(batch.size(), stopwatch.seconds());
  } catch (const std::exception& error) {
    if (config_.on_error) config_.on_error(error.what());
    return fail(batch, Painted::Outcome::kFailed);
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    Work& work = *batch[i].work;
    work.pictures[batch[i].index] = std::move(pictures[i]);
    if (++work.painted == work.pictures.size()) work.end(Painted::Outcome::kDone, painter);
  }
}

// All that have a picture in the batch: the rest of theirs would be for nothing.
void Batcher::fail(const std::vector<Share>& batch, Painted::Outcome outcome) {
  for (const Share& share : batch) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.remove(share.work);
    }
    share.work->end(outcome);
  }
}

}  // namespace nowhere
