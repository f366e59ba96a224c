// Models for tests that make plain colours instead of streets.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "serve/model_provider.h"

namespace nowhere {

// Lets threads pass while it is open, and counts those that have reached it.
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
class FakeModel : public Model {
 public:
  explicit FakeModel(uint64_t epoch, TestGate* gate = nullptr) : gate_(gate) {
    facts_ = {.name = "fake",
              .file = "/a/secret/folder/fake.pt",
              .file_name = "fake.pt",
              .architecture = "fake",
              .picture_size = 8,
              .latent_size = 4,
              .parameters = 12,
              .epoch = epoch,
              .images_seen = static_cast<int64_t>(epoch) * 1000,
              .digest = static_cast<char>('0' + epoch % 10) + std::string(31, 'a'),
              .trained_on = "nothing"};
  }

  const ModelFacts& facts() const override { return facts_; }

  std::vector<Image> make(const std::vector<Latent>& latents) override {
    if (gate_ != nullptr) gate_->pass();
    if (fails) throw std::runtime_error("a secret of the model");
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
    Image picture(facts_.picture_size, facts_.picture_size);
    for (size_t i = 0; i < picture.pixels.size(); ++i) {
      const double value =
          128.0 + 40.0 * static_cast<double>(latent[i % 3]) + static_cast<double>(facts_.epoch);
      picture.pixels[i] = static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
    }
    return picture;
  }

  ModelFacts facts_;
  TestGate* gate_;
  mutable std::mutex mutex_;
  std::vector<size_t> batches_;
};

// Epochs 1 to 5 and, once it is ready, a current model of epoch 5. Epoch 1 is gone, and epoch 4 cannot be
// read.
class FakeModelProvider : public ModelProvider {
 public:
  explicit FakeModelProvider(bool ready = true) {
    if (ready) become_ready();
  }

  void become_ready(uint64_t epoch = 5) {
    const std::lock_guard lock(mutex_);
    current_ = std::make_shared<FakeModel>(epoch, &gate);
  }
  std::shared_ptr<FakeModel> model() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

  std::shared_ptr<Model> current() const override { return model(); }
  std::vector<SavedEpoch> epochs() const override {
    return {{1, 0}, {2, 0}, {3, stamp_of_3}, {4, 0}, {5, 0}};
  }
  std::shared_ptr<Model> load(uint64_t epoch) override {
    ++loads;
    if (epoch == 4) throw std::runtime_error("a secret of the file");
    if (epoch == 1) return nullptr;  // removed since epochs()
    return std::make_shared<FakeModel>(epoch, &gate);
  }
  bool following() const override { return follows; }

  TestGate gate;  // before pictures are made
  std::atomic<int> loads = 0;
  std::atomic<uint64_t> stamp_of_3 = 0;
  std::atomic<bool> follows = false;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<FakeModel> current_;
};

}  // namespace nowhere
