// One thread that paints for everybody: the pictures of requests that come together go through the generator together.
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

#include "serve/latent_point.h"
#include "serve/painter_shelf.h"

namespace nowhere {

// A painter that is there, or an epoch to be loaded.
struct ModelChoice {
  std::shared_ptr<Painter> painter;
  std::optional<SavedEpoch> saved;

  bool operator==(const ModelChoice&) const = default;
};

struct Painted {
  enum class Outcome {
    kDone,
    kLate,     // nobody waits any more
    kGone,     // there is no such epoch now, or it cannot be read
    kFailed,   // the model would not paint
    kStopped,  // the server is going down
  };
  Outcome outcome = Outcome::kFailed;
  std::vector<Image> pictures;        // in the order of the points
  std::shared_ptr<Painter> painter;   // that painted them
  std::shared_ptr<const void> place;  // in the queue: free again when this is given up
};

struct PaintJob {
  ModelChoice model;
  std::vector<LatentPoint> points;
  std::chrono::steady_clock::time_point deadline;
  // Called once, on the inference thread (by the destructor: on the caller's). Must neither block nor throw.
  std::function<void(Painted)> done;
};

struct BatcherConfig {
  size_t max_batch = 16;  // pictures
  std::chrono::microseconds max_delay =
      std::chrono::milliseconds(2);  // that the first of a batch waits for others
  size_t queue = 1024;               // pictures that may be under way
  size_t max_bytes = 256'000'000;    // of all pictures under way
  size_t painters = 3;               // of saved epochs that are kept loaded
  size_t epochs = 4;                 // that may wait to be loaded: it takes long, and everybody waits
  std::function<void(size_t pictures, double seconds)> on_batch = {};  // inference thread
  std::function<void(const std::string& what)> on_error = {};          // inference thread
};

// Jobs take turns, a quarter of a batch at a time: a long one does not hold up short ones, and long ones (more than a batch)
// together get half of the queue only. A batch is of one model. What is under way is bounded in pictures and in bytes.
class Batcher {
 public:
  Batcher(BatcherConfig config, Studio& studio);
  ~Batcher();  // ends what has not been painted with kStopped
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // False when the queue is full; `done` is not called then. Any thread.
  bool submit(PaintJob job);
  // Pictures that are waiting, being painted, or painted and still held by who asked. Any thread.
  size_t under_way() const { return places_->all; }
  // Any thread.
  const PainterShelf& shelf() const { return shelf_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Work;
  struct Share {
    std::shared_ptr<Work> work;
    size_t index;  // of the picture in the work
  };
  struct Places {
    std::atomic<size_t> all = 0;
    std::atomic<size_t> large = 0;  // of them, those of jobs longer than a batch
    std::atomic<size_t> bytes = 0;
  };

  void run();
  bool wait_for_batch(std::unique_lock<std::mutex>& lock);
  size_t waiting_for(const ModelChoice& model) const;
  std::vector<std::shared_ptr<Work>> take_late();
  std::vector<Share> take_batch();
  void paint(const std::vector<Share>& batch);
  void fail(const std::vector<Share>& batch, Painted::Outcome outcome);
  std::shared_ptr<const void> take_place(const PaintJob& job);
  bool may_wait(const ModelChoice& model) const;
  size_t pixels_of(const PaintJob& job) const;
  std::shared_ptr<Painter> painter_of(const ModelChoice& model);

  const BatcherConfig config_;
  Studio& studio_;
  PainterShelf shelf_;
  const std::shared_ptr<Places> places_ = std::make_shared<Places>();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::shared_ptr<Work>>
      waiting_;  // those with pictures that nobody has begun; whoever is next first
  bool stopping_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace nowhere
