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
  PictureJob job;
  std::shared_ptr<const void> reservation;
  Clock::time_point submitted = Clock::now();
  size_t begun = 0;     // pictures that are in a batch
  size_t finished = 0;  // pictures that are made
  size_t turn = 0;      // pictures in the batch that is being put together
  std::vector<Image> pictures;
  bool ended = false;

  Work(PictureJob given, std::shared_ptr<const void> reserved)
      : job(std::move(given)), reservation(std::move(reserved)), pictures(job.points.size()) {}

  size_t left() const { return job.points.size() - begun; }
  void end(PictureResult::Outcome outcome, std::shared_ptr<Model> model = nullptr) {
    if (std::exchange(ended, true)) return;
    if (outcome != PictureResult::Outcome::kDone) pictures.clear();
    job.done({outcome, std::move(pictures), std::move(model), std::move(reservation)});
  }
};

Batcher::Batcher(BatcherConfig config, ModelProvider& provider)
    : config_(std::move(config)),
      provider_(provider),
      models_(provider, config_.cached_models),
      thread_([this] { run(); }) {}

Batcher::~Batcher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  for (const auto& work : waiting_) work->end(PictureResult::Outcome::kStopped);
}

// The picture size of an epoch that is not loaded is unknown; it is taken to be that of the current model.
size_t Batcher::pixels_of(const PictureJob& job) const {
  constexpr int kMaxSize = 512;
  const std::shared_ptr<Model> model = job.model.loaded ? job.model.loaded : provider_.current();
  const auto side = static_cast<size_t>(model ? model->facts().picture_size : kMaxSize);
  return job.points.size() * side * side;
}

// Null when the queue is full. With the mutex held.
std::shared_ptr<const void> Batcher::reserve(const PictureJob& job) {
  const size_t count = job.points.size(), bytes = pixels_of(job) * kChannels;
  const bool large = count > config_.max_batch;
  if (reserved_->pictures + count > config_.queue || reserved_->bytes + bytes > config_.max_bytes)
    return nullptr;
  if (large && reserved_->large + count > config_.queue / 2) return nullptr;
  reserved_->pictures += count;
  reserved_->bytes += bytes;
  if (large) reserved_->large += count;
  return {reserved_.get(), [reserved = reserved_, count, bytes, large](const void*) {
            reserved->pictures -= count;
            reserved->bytes -= bytes;
            if (large) reserved->large -= count;
          }};
}

// Whether few enough other epochs wait to be loaded. With the mutex held.
bool Batcher::may_wait(const ModelChoice& model) const {
  if (!model.saved) return true;
  std::set<SavedEpoch> waiting = {*model.saved};
  for (const auto& work : waiting_)
    if (work->job.model.saved) waiting.insert(*work->job.model.saved);
  return waiting.size() <= config_.waiting_epochs;
}

bool Batcher::submit(PictureJob job) {
  if (job.points.empty()) throw std::invalid_argument("a job without pictures");
  const std::lock_guard lock(mutex_);
  if (stopping_ || !may_wait(job.model)) return false;
  auto reservation = reserve(job);
  if (reservation == nullptr) return false;
  waiting_.push_back(std::make_shared<Work>(std::move(job), std::move(reservation)));
  changed_.notify_all();
  return true;
}

void Batcher::run() {
  std::unique_lock lock(mutex_);
  while (wait_for_batch(lock)) {
    const auto late = take_late();
    const auto batch = take_batch();
    lock.unlock();
    for (const auto& work : late) work->end(PictureResult::Outcome::kLate);
    if (!batch.empty()) make(batch);
    lock.lock();
  }
}

// Until a batch is full or has waited long enough; false at the end.
bool Batcher::wait_for_batch(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
  if (stopping_) return false;
  const auto first = waiting_.front();  // new jobs are added behind it
  changed_.wait_until(lock, first->submitted + config_.max_delay,
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

// Fills a batch in the order of arrival, at most one share of each job per round. A job that had its share
// and wants more goes to the back of the queue, so a long morph leaves room for single pictures and for other
// models. All other jobs keep their places, including one that was cut short by the end of the batch: no job
// is overtaken for ever.
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

// Null when the epoch is gone or cannot be read.
std::shared_ptr<Model> Batcher::load(const ModelChoice& model) {
  if (!model.saved) return model.loaded;
  try {
    return models_.get(*model.saved);
  } catch (const std::exception& error) {
    if (config_.on_error) config_.on_error(error.what());
    return nullptr;
  }
}

void Batcher::make(const std::vector<Share>& batch) {
  std::shared_ptr<Model> model;
  std::vector<Image> pictures;
  try {
    model = load(batch.front().work->job.model);
    if (model == nullptr) return fail(batch, PictureResult::Outcome::kGone);
    std::vector<Latent> latents;
    for (const Share& share : batch)
      latents.push_back(latent_of(share.work->job.points[share.index], model->facts().latent_size));
    const Stopwatch stopwatch;
    pictures = model->make(latents);
    if (pictures.size() != batch.size())
      throw std::logic_error("the model made a different number of pictures than it was asked for");
    if (config_.on_batch) config_.on_batch(batch.size(), stopwatch.seconds());
  } catch (const std::exception& error) {
    if (config_.on_error) config_.on_error(error.what());
    return fail(batch, PictureResult::Outcome::kFailed);
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    Work& work = *batch[i].work;
    work.pictures[batch[i].index] = std::move(pictures[i]);
    if (++work.finished == work.pictures.size()) work.end(PictureResult::Outcome::kDone, model);
  }
}

// Ends every job with a picture in the batch: its remaining pictures would be of no use.
void Batcher::fail(const std::vector<Share>& batch, PictureResult::Outcome outcome) {
  for (const Share& share : batch) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.remove(share.work);
    }
    share.work->end(outcome);
  }
}

}  // namespace nowhere
