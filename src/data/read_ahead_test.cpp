#include "data/read_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

#include "data/loader.h"

namespace nowhere {
namespace {

// Photographs of 100 bytes each whose reads wait until the test lets them go on.
class SlowSource : public Source {
 public:
  explicit SlowSource(size_t photographs) : image_(32, 32), asked_more_(photographs) {
    for (size_t i = 0; i < photographs; ++i) photos_.all.emplace_back();
    photos_.folders.emplace_back();
  }

  const Photos& photos() const override { return photos_; }
  const ScanCounts& counts() const override { return counts_; }
  std::string name() const override { return "slow"; }
  std::string description() const override { return "slow"; }
  uint64_t stored_bytes(size_t) const override { return 100; }

  void will_need(size_t photo) const override {
    const std::lock_guard lock(mutex_);
    asked_.push_back(static_cast<uint32_t>(photo));
    // A thread may be held up between claiming samples and asking for them, until others have read them.
    if (++asked_more_[photo] > 0) waiting_.insert(static_cast<uint32_t>(photo));
    most_waiting_ = std::max(most_waiting_, waiting_.size());
    changed_.notify_all();
  }

  Result<PhotoFrame> frame(size_t photo, const Detail&, Scratch&) const override {
    std::unique_lock lock(mutex_);
    if (--asked_more_[photo] <= 0) waiting_.erase(static_cast<uint32_t>(photo));
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_; });
    ++answered_;
    return whole_frame(image_.view(), 32);
  }

  Result<void> read(size_t, Scratch&) const override { return {}; }
  uint64_t stamp(size_t) const override { return 0; }

  // Waits until so many were asked for; the time limit ends a test that has failed.
  void wait_for_asked(size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::minutes(1), [&] { return asked_.size() >= count; }));
  }
  void let_go_on() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  size_t answered() const {
    const std::lock_guard lock(mutex_);
    return answered_;
  }
  size_t most_waiting() const {
    const std::lock_guard lock(mutex_);
    return most_waiting_;
  }
  std::vector<uint32_t> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  Photos photos_;
  ScanCounts counts_;
  Image image_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::vector<uint32_t> asked_;
  mutable std::vector<int> asked_more_;  // of each, how many times more often than it was read
  mutable std::set<uint32_t> waiting_;   // asked for, and not being read yet
  mutable size_t most_waiting_ = 0, answered_ = 0;
  mutable bool open_ = false;
};

LoaderConfig small_batches() {
  LoaderConfig config;
  config.sample.size = 16;
  config.batch = 4;
  config.threads = 1;
  config.read_ahead = 3;
  return config;
}

Sampler all_in_order(const SlowSource& source) {
  return Sampler::of_first(source.photos(), source.photos().all.size(), {.shuffle = false});
}

TEST(ReadAhead, ComingSamplesAreAskedForBeforeTheFirstIsAnswered) {
  SlowSource source(100);
  Loader loader(source, all_in_order(source), small_batches(), {});
  source.wait_for_asked(12);  // 3 batches of 4 behind the one that is being read
  EXPECT_EQ(source.answered(), 0u);
  EXPECT_EQ(source.asked(), (std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  source.let_go_on();
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(loader.next());
  EXPECT_LE(source.most_waiting(), 12u + 1u);  // and the one that the thread is about to read
}

TEST(ReadAhead, ThreadsShareTheLimit) {
  SlowSource source(400);
  LoaderConfig config = small_batches();
  config.threads = 4;
  config.epochs = 2;
  Loader loader(source, Sampler::of_first(source.photos(), 400, {.seed = 1}), config, {});
  source.wait_for_asked(12);
  EXPECT_EQ(source.answered(), 0u);
  source.let_go_on();
  int batches = 0;
  while (loader.next()) ++batches;
  EXPECT_EQ(batches, 200);
  EXPECT_LE(source.most_waiting(), 12u + 4u);
}

TEST(ReadAhead, BytesAreALimitToo) {
  SlowSource source(100);
  LoaderConfig config = small_batches();
  config.read_ahead_bytes = 599;
  Loader loader(source, all_in_order(source), config, {});
  source.wait_for_asked(5);
  EXPECT_EQ(source.asked().size(), 5u);
  source.let_go_on();
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(loader.next());
  EXPECT_LE(source.most_waiting(), 5u + 1u);
  EXPECT_GT(source.asked().size(), 90u);
}

TEST(ReadAhead, NothingIsAskedForAfterTheEnd) {
  SlowSource source(10);
  LoaderConfig config = small_batches();
  config.drop_last = false;
  config.epochs = 1;
  Loader loader(source, all_in_order(source), config, {});
  source.let_go_on();
  while (loader.next()) continue;
  EXPECT_EQ(source.asked(), (std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(ReadAhead, NoneIsNone) {
  SlowSource source(10);
  LoaderConfig config = small_batches();
  config.read_ahead = 0;
  Loader loader(source, all_in_order(source), config, {});
  source.let_go_on();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(loader.next());
  EXPECT_TRUE(source.asked().empty());
}

}  // namespace
}  // namespace nowhere
