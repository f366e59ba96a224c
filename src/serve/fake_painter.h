// A studio for tests: colours instead of streets.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "serve/painter.h"

namespace nowhere {

// Lets threads pass when it is open, and tells when one has come to it.
class TestGate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void close() { set(false); }
  void open() { set(true); }
  void wait_for_arrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

 private:
  void set(bool open) {
    const std::lock_guard lock(mutex_);
    open_ = open;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true;
  int arrived_ = 0;
};

// Every picture has one colour, made of the first three numbers of its latent vector and the model's epoch.
class FakePainter : public Painter {
 public:
  explicit FakePainter(uint64_t epoch, TestGate* gate = nullptr) : gate_(gate) {
    info_ = {.name = "fake",
             .size = 8,
             .nz = 4,
             .parameters = 12,
             .epoch = epoch,
             .digest = static_cast<char>('0' + epoch % 10) + std::string(31, 'a'),
             .images_seen = static_cast<int64_t>(epoch) * 1000,
             .trained_on = "nothing",
             .file_name = "fake.pt"};
  }

  const ModelInfo& info() const override { return info_; }

  std::vector<Image> paint(const std::vector<Latent>& latents) override {
    if (gate_ != nullptr) gate_->pass();
    if (fails) throw std::runtime_error("a secret of the painter");
    const std::lock_guard lock(mutex_);
    batches_.push_back(latents.size());
    std::vector<Image> pictures;
    for (const Latent& latent : latents) pictures.push_back(colour(latent));
    return pictures;
  }

  // The sizes of all calls so far.
  std::vector<size_t> batches() const {
    const std::lock_guard lock(mutex_);
    return batches_;
  }

  std::atomic<bool> fails = false;

 private:
  Image colour(const Latent& latent) const {
    Image picture(info_.size, info_.size);
    for (size_t i = 0; i < picture.pixels.size(); ++i) {
      const double value =
          128.0 + 40.0 * static_cast<double>(latent[i % 3]) + static_cast<double>(info_.epoch);
      picture.pixels[i] = static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
    }
    return picture;
  }

  ModelInfo info_;
  TestGate* gate_;
  mutable std::mutex mutex_;
  std::vector<size_t> batches_;
};

// Epochs 1 to 5 and, once it is there, a current model of epoch 5.
class FakeStudio : public Studio {
 public:
  explicit FakeStudio(bool ready = true) {
    if (ready) become_ready();
  }

  void become_ready(uint64_t epoch = 5) {
    const std::lock_guard lock(mutex_);
    current_ = std::make_shared<FakePainter>(epoch, &gate);
  }
  std::shared_ptr<FakePainter> painter() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

  std::shared_ptr<Painter> current() const override { return painter(); }
  std::vector<SavedEpoch> epochs() const override {
    return {{1, 0}, {2, 0}, {3, stamp_of_3}, {4, 0}, {5, 0}};
  }
  std::shared_ptr<Painter> load(uint64_t epoch) override {
    ++loads;
    if (epoch == 4) throw std::runtime_error("a secret of the file");
    if (epoch == 1) return nullptr;  // went away since epochs()
    return std::make_shared<FakePainter>(epoch, &gate);
  }
  bool following() const override { return follows; }

  TestGate gate;  // in front of the painting
  std::atomic<int> loads = 0;
  std::atomic<uint64_t> stamp_of_3 = 0;
  std::atomic<bool> follows = false;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<FakePainter> current_;
};

}  // namespace nowhere
