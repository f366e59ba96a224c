#include "serve/batcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>

#include "serve/fake_painter.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;
using Outcome = Painted::Outcome;

class BatcherTest : public testing::Test {
 protected:
  std::vector<LatentPoint> points(size_t count, uint64_t first = 0) {
    std::vector<LatentPoint> made;
    for (size_t i = 0; i < count; ++i) made.push_back({.seed = first + i});
    return made;
  }
  // What it will be; invalid when the queue is full.
  std::future<Painted> submit(Batcher& batcher, size_t count, uint64_t first = 0, ModelChoice model = {},
                              std::chrono::nanoseconds time = 1h) {
    if (!model.saved) model.painter = studio_.current();
    const auto promise = std::make_shared<std::promise<Painted>>();
    auto future = promise->get_future();
    PaintJob job;
    job.model = std::move(model);
    job.points = points(count, first);
    job.deadline = std::chrono::steady_clock::now() + time;
    job.done = [promise](Painted painted) { promise->set_value(std::move(painted)); };
    const bool accepted = batcher.submit(std::move(job));
    return accepted ? std::move(future) : std::future<Painted>();
  }
  // The inference thread waits at the gate with a batch of one picture.
  std::future<Painted> occupy(Batcher& batcher) {
    studio_.gate.close();
    auto first = submit(batcher, 1, 1000);
    studio_.gate.wait_for_arrivals(1);
    return first;
  }

  // Its name is in order_of() when it is done.
  void submit_named(Batcher& batcher, const std::string& name, size_t count) {
    PaintJob job;
    job.model.painter = studio_.current();
    job.points = points(count);
    job.deadline = std::chrono::steady_clock::time_point::max();
    job.done = [this, name](const Painted&) {
      const std::lock_guard lock(mutex_);
      order_.push_back(name);
      changed_.notify_all();
    };
    ASSERT_TRUE(batcher.submit(std::move(job)));
  }
  // In which jobs were done, once there are `count` of them.
  using Names = std::vector<std::string>;
  Names order_of(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return order_.size() >= count; });
    return order_;
  }

  FakeStudio studio_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Names order_;
};

TEST_F(BatcherTest, PicturesAreThoseOfTheirSeedsInOrder) {
  Batcher batcher({.max_batch = 4}, studio_);
  const Painted painted = submit(batcher, 10, 50).get();
  ASSERT_EQ(painted.outcome, Outcome::kDone);
  ASSERT_EQ(painted.pictures.size(), 10u);
  for (size_t i = 0; i < 10; ++i) {
    const auto alone = studio_.painter()->paint({seed_latent(50 + i, 4)});
    EXPECT_EQ(painted.pictures[i].pixels, alone[0].pixels);
  }
  EXPECT_EQ(painted.painter, studio_.current());
}

TEST_F(BatcherTest, RequestsThatWaitGoTogether) {
  Batcher batcher({.max_batch = 8, .max_delay = 0us}, studio_);
  auto first = occupy(batcher);
  auto a = submit(batcher, 3), b = submit(batcher, 4), c = submit(batcher, 5);
  studio_.gate.open();
  for (auto* future : {&first, &a, &b, &c}) EXPECT_EQ(future->get().outcome, Outcome::kDone);
  EXPECT_EQ(studio_.painter()->batches(), (std::vector<size_t>{1, 8, 4}));
}

TEST_F(BatcherTest, AFullBatchDoesNotWait) {
  Batcher batcher({.max_batch = 4, .max_delay = 1h}, studio_);
  EXPECT_EQ(submit(batcher, 4).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, ALongJobDoesNotHoldUpShortOnes) {
  Batcher batcher({.max_batch = 4, .max_delay = 0us}, studio_);
  auto first = occupy(batcher);
  submit_named(batcher, "long", 100);
  for (const char* name : {"a", "b", "c"}) submit_named(batcher, name, 1);
  studio_.gate.open();
  EXPECT_EQ(order_of(4), (Names{"a", "b", "c", "long"}));
}

TEST_F(BatcherTest, ThoseWhoComeLaterDoNotOvertakeForEver) {
  int more = 20;  // batches, each of which brings as many jobs as it took
  Batcher* asked = nullptr;
  BatcherConfig config{.max_batch = 4, .max_delay = 0us};
  config.on_batch = [&](size_t, double) {
    for (int i = 0; more > 0 && i < 4; ++i) submit_named(*asked, "later", 1);
    --more;
  };
  Batcher batcher(config, studio_);
  asked = &batcher;
  auto first = occupy(batcher);
  submit_named(batcher, "two", 2);  // a share is one picture: it has two turns
  for (int i = 0; i < 11; ++i) submit_named(batcher, "one", 1);
  studio_.gate.open();
  const Names order = order_of(92);
  EXPECT_EQ(std::ranges::find(order, "two") - order.begin(),
            15);  // behind those who were there at its first turn
}

TEST_F(BatcherTest, WhoIsCutShortByAFullBatchGoesOnInTheNext) {
  Batcher batcher({.max_batch = 8, .max_delay = 0us}, studio_);  // a share is two pictures
  auto first = occupy(batcher);
  for (const char* name : {"a", "b", "c"}) submit_named(batcher, name, 2);
  submit_named(batcher, "single", 1);
  submit_named(batcher, "cut", 2);  // for one of which there is room
  for (const char* name : {"d", "e"}) submit_named(batcher, name, 2);
  studio_.gate.open();
  EXPECT_EQ(order_of(7), (Names{"a", "b", "c", "single", "cut", "d", "e"}));
}

TEST_F(BatcherTest, ModelsAreNotMixedAndTakeTurns) {
  Batcher batcher({.max_batch = 4, .max_delay = 0us}, studio_);
  auto first = occupy(batcher);
  auto now = submit(batcher, 8, 0);
  auto old = submit(batcher, 2, 0, {.saved = SavedEpoch{2, 0}});
  studio_.gate.open();
  const Painted of_old = old.get();
  ASSERT_EQ(of_old.outcome, Outcome::kDone);
  EXPECT_EQ(of_old.painter->info().epoch, 2u);
  const Painted of_now = now.get();
  EXPECT_NE(of_now.pictures[0].pixels, of_old.pictures[0].pixels);
  EXPECT_EQ(studio_.painter()->batches(), (std::vector<size_t>{1, 4, 4}));
  EXPECT_EQ(batcher.shelf().digest_of({2, 0}), of_old.painter->info().digest);
}

TEST_F(BatcherTest, AFullQueueRefuses) {
  Batcher batcher({.max_batch = 2, .max_delay = 0us, .queue = 8}, studio_);
  auto first = occupy(batcher);
  auto large = submit(batcher, 4);
  ASSERT_TRUE(large.valid());
  EXPECT_FALSE(submit(batcher, 3).valid());  // large ones have their half
  auto small = submit(batcher, 2);
  ASSERT_TRUE(small.valid());
  EXPECT_FALSE(submit(batcher, 2).valid());
  EXPECT_EQ(batcher.under_way(), 7u);
  studio_.gate.open();
  Painted held = large.get();
  first.get();
  small.get();
  EXPECT_EQ(batcher.under_way(), 4u);  // pictures that somebody still holds count
  EXPECT_FALSE(submit(batcher, 3).valid());
  held = {};
  EXPECT_EQ(batcher.under_way(), 0u);
  EXPECT_EQ(submit(batcher, 3).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, WhatIsUnderWayIsBoundedInBytesToo) {
  Batcher batcher({.max_batch = 2, .max_delay = 0us, .max_bytes = 5 * 8 * 8 * 3}, studio_);  // five pictures
  auto first = occupy(batcher);
  auto four = submit(batcher, 4);
  ASSERT_TRUE(four.valid());
  EXPECT_FALSE(submit(batcher, 1).valid());
  studio_.gate.open();
  first.get();
  four.get();
  EXPECT_EQ(submit(batcher, 5).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, FewEpochsMayWaitToBeLoaded) {
  Batcher batcher({.max_batch = 2, .max_delay = 0us, .epochs = 2}, studio_);
  auto first = occupy(batcher);
  const auto of_epoch = [&](uint64_t epoch) {
    return submit(batcher, 1, 0, {.saved = SavedEpoch{epoch, 0}});
  };
  auto second = of_epoch(2), third = of_epoch(3);
  ASSERT_TRUE(second.valid() && third.valid());
  EXPECT_FALSE(of_epoch(5).valid());
  auto same = of_epoch(3), present = submit(batcher, 1);
  ASSERT_TRUE(same.valid() && present.valid());
  studio_.gate.open();
  for (auto* future : {&first, &second, &third, &same, &present})
    EXPECT_EQ(future->get().outcome, Outcome::kDone);
  EXPECT_EQ(of_epoch(5).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, WhatNobodyWaitsForIsNotPainted) {
  Batcher batcher({.max_batch = 4, .max_delay = 0us}, studio_);
  auto first = occupy(batcher);
  auto late = submit(batcher, 2, 0, {}, -1s);
  auto good = submit(batcher, 1);
  studio_.gate.open();
  EXPECT_EQ(late.get().outcome, Outcome::kLate);
  EXPECT_EQ(good.get().outcome, Outcome::kDone);
  EXPECT_EQ(studio_.painter()->batches(), (std::vector<size_t>{1, 1}));
}

TEST_F(BatcherTest, FailuresAreTold) {
  std::string what;  // written by the inference thread before the job ends
  Batcher batcher({.max_batch = 4, .on_error = [&](const std::string& error) { what += error; }}, studio_);
  EXPECT_EQ(submit(batcher, 1, 0, {.saved = SavedEpoch{1, 0}}).get().outcome, Outcome::kGone);
  EXPECT_EQ(what, "");
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(submit(batcher, 1, 0, {.saved = SavedEpoch{4, 0}}).get().outcome, Outcome::kGone);
  EXPECT_EQ(what, "a secret of the file");  // once
  what.clear();
  studio_.painter()->fails = true;
  EXPECT_EQ(submit(batcher, 9).get().outcome, Outcome::kFailed);  // once, and what is left of it is forgotten
  EXPECT_EQ(what, "a secret of the painter");
  studio_.painter()->fails = false;
  EXPECT_EQ(submit(batcher, 1).get().outcome, Outcome::kDone);
}

TEST_F(BatcherTest, StoppingEndsWhatWaits) {
  std::future<Painted> first, waiting;
  {
    Batcher batcher({.max_batch = 4, .max_delay = 1h}, studio_);
    waiting = submit(batcher, 1);
  }
  EXPECT_EQ(waiting.get().outcome, Outcome::kStopped);
}

TEST_F(BatcherTest, ManyThreads) {
  Batcher batcher({.max_batch = 8}, studio_);
  std::vector<std::jthread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 50; ++i) {
        const Painted painted = submit(batcher, 1 + i % 5, thread * 1000 + i).get();
        ASSERT_EQ(painted.outcome, Outcome::kDone);
        EXPECT_EQ(painted.pictures.size(), 1 + i % 5);
      }
    });
  threads.clear();
  EXPECT_EQ(batcher.under_way(), 0u);
}

}  // namespace
}  // namespace nowhere
