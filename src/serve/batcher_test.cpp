#include "serve/batcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>

#include "serve/fake_model.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;
using Outcome = PictureResult::Outcome;

class BatcherTest : public testing::Test {
 protected:
  std::vector<LatentPoint> points(size_t count, uint64_t first = 0) {
    std::vector<LatentPoint> made;
    for (size_t i = 0; i < count; ++i) made.push_back({.seed = first + i});
    return made;
  }
  // The result to come; invalid when the queue is full.
  std::future<PictureResult> submit(Batcher& batcher, size_t count, uint64_t first = 0,
                                    ModelChoice model = {}, std::chrono::nanoseconds time = 1h) {
    if (!model.saved) model.loaded = provider_.current();
    const auto promise = std::make_shared<std::promise<PictureResult>>();
    auto future = promise->get_future();
    PictureJob job;
    job.model = std::move(model);
    job.points = points(count, first);
    job.deadline = std::chrono::steady_clock::now() + time;
    job.done = [promise](PictureResult result) { promise->set_value(std::move(result)); };
    const bool accepted = batcher.submit(std::move(job));
    return accepted ? std::move(future) : std::future<PictureResult>();
  }
  // The inference thread waits at the gate with a batch of one picture.
  std::future<PictureResult> occupy(Batcher& batcher) {
    provider_.gate.close();
    auto first = submit(batcher, 1, 1000);
    provider_.gate.wait_for_arrivals(1);
    return first;
  }

  // Its name appears in order_of() when it is done.
  void submit_named(Batcher& batcher, const std::string& name, size_t count) {
    PictureJob job;
    job.model.loaded = provider_.current();
    job.points = points(count);
    job.deadline = std::chrono::steady_clock::time_point::max();
    job.done = [this, name](const PictureResult&) {
      const std::lock_guard lock(mutex_);
      order_.push_back(name);
      changed_.notify_all();
    };
    ASSERT_TRUE(batcher.submit(std::move(job)));
  }
  using Names = std::vector<std::string>;
  // The order in which jobs were done, once there are `count` of them.
  Names order_of(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return order_.size() >= count; });
    return order_;
  }

  FakeModelProvider provider_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Names order_;
};

TEST_F(BatcherTest, PicturesComeInTheOrderOfTheirSeeds) {
  Batcher batcher({.max_batch = 4}, provider_);
  const PictureResult result = submit(batcher, 10, 50).get();
  ASSERT_EQ(result.outcome, Outcome::kDone);
  ASSERT_EQ(result.pictures.size(), 10u);
  for (size_t i = 0; i < 10; ++i) {
    const auto alone = provider_.model()->make({seed_latent(50 + i, 4)});
    EXPECT_EQ(result.pictures[i].pixels, alone[0].pixels);
  }
  EXPECT_EQ(result.model, provider_.current());
}

TEST_F(BatcherTest, WaitingRequestsShareABatch) {
  Batcher batcher({.max_batch = 8, .max_delay = 0us}, provider_);
  auto first = occupy(batcher);
  auto a = submit(batcher, 3), b = submit(batcher, 4), c = submit(batcher, 5);
  provider_.gate.open();
  for (auto* future : {&first, &a, &b, &c}) EXPECT_EQ(future->get().outcome, Outcome::kDone);
  EXPECT_EQ(provider_.model()->batches(), (std::vector<size_t>{1, 8, 4}));
}

TEST_F(BatcherTest, AFullBatchDoesNotWait) {
  Batcher batcher({.max_batch = 4, .max_delay = 1h}, provider_);
  EXPECT_EQ(submit(batcher, 4).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, ALongJobDoesNotHoldUpShortOnes) {
  Batcher batcher({.max_batch = 4, .max_delay = 0us}, provider_);
  auto first = occupy(batcher);
  submit_named(batcher, "long", 100);
  for (const char* name : {"a", "b", "c"}) submit_named(batcher, name, 1);
  provider_.gate.open();
  EXPECT_EQ(order_of(4), (Names{"a", "b", "c", "long"}));
}

TEST_F(BatcherTest, LaterJobsDoNotOvertakeForEver) {
  int more = 20;  // batches that each bring as many jobs as they took
  Batcher* target = nullptr;
  BatcherConfig config{.max_batch = 4, .max_delay = 0us};
  config.on_batch = [&](size_t, double) {
    for (int i = 0; more > 0 && i < 4; ++i) submit_named(*target, "later", 1);
    --more;
  };
  Batcher batcher(config, provider_);
  target = &batcher;
  auto first = occupy(batcher);
  submit_named(batcher, "two", 2);  // a share is one picture, so it takes two turns
  for (int i = 0; i < 11; ++i) submit_named(batcher, "one", 1);
  provider_.gate.open();
  const Names order = order_of(92);
  EXPECT_EQ(std::ranges::find(order, "two") - order.begin(),
            15);  // behind the jobs that were there at its first turn
}

TEST_F(BatcherTest, AJobCutShortByAFullBatchGoesOnInTheNext) {
  Batcher batcher({.max_batch = 8, .max_delay = 0us}, provider_);  // a share is two pictures
  auto first = occupy(batcher);
  for (const char* name : {"a", "b", "c"}) submit_named(batcher, name, 2);
  submit_named(batcher, "single", 1);
  submit_named(batcher, "cut", 2);  // there is room for one of them
  for (const char* name : {"d", "e"}) submit_named(batcher, name, 2);
  provider_.gate.open();
  EXPECT_EQ(order_of(7), (Names{"a", "b", "c", "single", "cut", "d", "e"}));
}

TEST_F(BatcherTest, ModelsAreNotMixedAndTakeTurns) {
  Batcher batcher({.max_batch = 4, .max_delay = 0us}, provider_);
  auto first = occupy(batcher);
  auto now = submit(batcher, 8, 0);
  auto old = submit(batcher, 2, 0, {.saved = SavedEpoch{2, 0}});
  provider_.gate.open();
  const PictureResult of_old = old.get();
  ASSERT_EQ(of_old.outcome, Outcome::kDone);
  EXPECT_EQ(of_old.model->facts().epoch, 2u);
  const PictureResult of_now = now.get();
  EXPECT_NE(of_now.pictures[0].pixels, of_old.pictures[0].pixels);
  EXPECT_EQ(provider_.model()->batches(), (std::vector<size_t>{1, 4, 4}));
  EXPECT_EQ(batcher.models().digest_of({2, 0}), of_old.model->facts().digest);
}

TEST_F(BatcherTest, AFullQueueRefuses) {
  Batcher batcher({.max_batch = 2, .max_delay = 0us, .queue = 8}, provider_);
  auto first = occupy(batcher);
  auto large = submit(batcher, 4);
  ASSERT_TRUE(large.valid());
  EXPECT_FALSE(submit(batcher, 3).valid());  // large jobs share half of the queue
  auto small = submit(batcher, 2);
  ASSERT_TRUE(small.valid());
  EXPECT_FALSE(submit(batcher, 2).valid());
  EXPECT_EQ(batcher.in_progress(), 7u);
  provider_.gate.open();
  PictureResult held = large.get();
  first.get();
  small.get();
  EXPECT_EQ(batcher.in_progress(), 4u);  // pictures still held by the caller count
  EXPECT_FALSE(submit(batcher, 3).valid());
  held = {};
  EXPECT_EQ(batcher.in_progress(), 0u);
  EXPECT_EQ(submit(batcher, 3).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, PicturesInProgressAreBoundedInBytesToo) {
  Batcher batcher({.max_batch = 2, .max_delay = 0us, .max_bytes = 5 * 8 * 8 * 3},
                  provider_);  // five pictures
  auto first = occupy(batcher);
  auto four = submit(batcher, 4);
  ASSERT_TRUE(four.valid());
  EXPECT_FALSE(submit(batcher, 1).valid());
  provider_.gate.open();
  first.get();
  four.get();
  EXPECT_EQ(submit(batcher, 5).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, OnlyAFewEpochsMayWaitToBeLoaded) {
  Batcher batcher({.max_batch = 2, .max_delay = 0us, .waiting_epochs = 2}, provider_);
  auto first = occupy(batcher);
  const auto of_epoch = [&](uint64_t epoch) {
    return submit(batcher, 1, 0, {.saved = SavedEpoch{epoch, 0}});
  };
  auto second = of_epoch(2), third = of_epoch(3);
  ASSERT_TRUE(second.valid() && third.valid());
  EXPECT_FALSE(of_epoch(5).valid());
  auto same = of_epoch(3), present = submit(batcher, 1);
  ASSERT_TRUE(same.valid() && present.valid());
  provider_.gate.open();
  for (auto* future : {&first, &second, &third, &same, &present})
    EXPECT_EQ(future->get().outcome, Outcome::kDone);
  EXPECT_EQ(of_epoch(5).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, JobsPastTheirDeadlineAreNotMade) {
  Batcher batcher({.max_batch = 4, .max_delay = 0us}, provider_);
  auto first = occupy(batcher);
  auto late = submit(batcher, 2, 0, {}, -1s);
  auto good = submit(batcher, 1);
  provider_.gate.open();
  EXPECT_EQ(late.get().outcome, Outcome::kLate);
  EXPECT_EQ(good.get().outcome, Outcome::kDone);
  EXPECT_EQ(provider_.model()->batches(), (std::vector<size_t>{1, 1}));
}

TEST_F(BatcherTest, FailuresAreReported) {
  std::string what;  // written by the inference thread before the job ends
  Batcher batcher({.max_batch = 4, .on_error = [&](const std::string& error) { what += error; }}, provider_);
  EXPECT_EQ(submit(batcher, 1, 0, {.saved = SavedEpoch{1, 0}}).get().outcome, Outcome::kGone);
  EXPECT_EQ(what, "");
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(submit(batcher, 1, 0, {.saved = SavedEpoch{4, 0}}).get().outcome, Outcome::kGone);
  EXPECT_EQ(what, "a secret of the file");  // once
  what.clear();
  provider_.model()->fails = true;
  EXPECT_EQ(submit(batcher, 9).get().outcome,
            Outcome::kFailed);  // reported once; the rest of the job is dropped
  EXPECT_EQ(what, "a secret of the model");
  provider_.model()->fails = false;
  EXPECT_EQ(submit(batcher, 1).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, StoppingEndsWaitingJobs) {
  std::future<PictureResult> first, waiting;
  {
    Batcher batcher({.max_batch = 4, .max_delay = 1h}, provider_);
    waiting = submit(batcher, 1);
  }
  EXPECT_EQ(waiting.get().outcome, Outcome::kStopped);
}

TEST_F(BatcherTest, ManyThreads) {
  Batcher batcher({.max_batch = 8}, provider_);
  std::vector<std::jthread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 50; ++i) {
        const PictureResult result = submit(batcher, 1 + i % 5, thread * 1000 + i).get();
        ASSERT_EQ(result.outcome, Outcome::kDone);
        EXPECT_EQ(result.pictures.size(), 1 + i % 5);
      }
    });
  threads.clear();
  EXPECT_EQ(batcher.in_progress(), 0u);
}

}  // namespace
}  // namespace nowhere
