// Pictures of requests that arrive together go through the generator together, on one inference thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "latent/latent_point.h"
#include "serve/model_cache.h"

namespace nowhere {

// A model that is loaded, or an epoch that has to be loaded first.
struct ModelChoice {
  std::shared_ptr<Model> loaded;
  std::optional<SavedEpoch> saved;

  bool operator==(const ModelChoice&) const = default;
};

struct PictureResult {
  enum class Outcome {
    kDone,
    kLate,     // the deadline passed before it was begun
    kGone,     // the epoch no longer exists, or cannot be read
    kFailed,   // the model threw
    kStopped,  // the server is shutting down
  };
  Outcome outcome = Outcome::kFailed;
  std::vector<Image> pictures;              // in the order of the points
  std::shared_ptr<Model> model;             // that made them
  std::shared_ptr<const void> reservation;  // of room in the queue; released with the last copy of this
};

struct PictureJob {
  ModelChoice model;
  std::vector<LatentPoint> points;
  std::chrono::steady_clock::time_point deadline;
  // Called once, on the inference thread (by the destructor: on the caller's). Must neither block nor throw.
  std::function<void(PictureResult)> done;
};

struct BatcherConfig {
  size_t max_batch = 16;  // pictures
  std::chrono::microseconds max_delay =
      std::chrono::milliseconds(2);  // that the first of a batch waits for others
  size_t queue = 1024;               // pictures in progress
  size_t max_bytes = 256'000'000;    // of all pictures in progress
  size_t cached_models = 3;          // of saved epochs
  size_t waiting_epochs = 4;         // that may wait to be loaded: loading is slow and holds up everybody
  std::function<void(size_t pictures, double seconds)> on_batch = {};  // inference thread
  std::function<void(const std::string& what)> on_error = {};          // inference thread
};

// Jobs take turns, a quarter of a batch at a time, so a long job does not hold up short ones; long jobs (more
// than one batch) share half of the queue. All pictures of a batch are made by one model. What is in progress
// is bounded in pictures and in bytes.
class Batcher {
 public:
  Batcher(BatcherConfig config, ModelProvider& provider);
  ~Batcher();  // ends unfinished jobs with kStopped
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // False when the queue is full; `done` is not called then. Any thread.
  bool submit(PictureJob job);
  // Pictures that wait, are being made, or are finished and not yet released by the caller. Any thread.
  size_t in_progress() const { return reserved_->pictures; }
  // Any thread.
  const ModelCache& models() const { return models_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Work;
  struct Share {
    std::shared_ptr<Work> work;
    size_t index;  // of the picture in the work
  };
  struct Reserved {
    std::atomic<size_t> pictures = 0;
    std::atomic<size_t> large = 0;  // pictures of jobs larger than a batch
    std::atomic<size_t> bytes = 0;
  };

  void run();
  bool wait_for_batch(std::unique_lock<std::mutex>& lock);
  size_t waiting_for(const ModelChoice& model) const;
  std::vector<std::shared_ptr<Work>> take_late();
  std::vector<Share> take_batch();
  void make(const std::vector<Share>& batch);
  void fail(const std::vector<Share>& batch, PictureResult::Outcome outcome);
  std::shared_ptr<const void> reserve(const PictureJob& job);
  bool may_wait(const ModelChoice& model) const;
  size_t pixels_of(const PictureJob& job) const;
  std::shared_ptr<Model> load(const ModelChoice& model);

  const BatcherConfig config_;
  ModelProvider& provider_;
  ModelCache models_;
  const std::shared_ptr<Reserved> reserved_ = std::make_shared<Reserved>();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::shared_ptr<Work>>
      waiting_;  // jobs with pictures that are in no batch yet; the next one first
  bool stopping_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace nowhere
