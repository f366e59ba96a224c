#include "serve/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace nowhere {
namespace {

TEST(Workers, RunJobsInOrder) {
  std::vector<int> done;
  std::promise<void> last;
  Workers workers(1);
  for (int i = 0; i < 1000; ++i)
    workers.post([&, i] {
      done.push_back(i);
      if (i == 999) last.set_value();
    });
  last.get_future().wait();
  ASSERT_EQ(done.size(), 1000u);
  EXPECT_TRUE(std::ranges::is_sorted(done));
}

TEST(Workers, FinishOnlyJobsThatHaveBegun) {
  std::promise<void> begun;
  std::atomic<int> done = 0;
  const auto held = std::make_shared<int>();  // by jobs that never begin
  auto workers = std::make_unique<Workers>(1);
  std::promise<void> may_end;
  workers->post([&] {
    begun.set_value();
    may_end.get_future().wait();
    ++done;
  });
  begun.get_future().wait();
  for (int i = 0; i < 10; ++i) workers->post([&, held] { ++done; });
  std::jthread ends([&] { workers.reset(); });
  while (held.use_count() > 1) std::this_thread::yield();  // they are dropped before the first has ended
  may_end.set_value();
  ends.join();
  EXPECT_EQ(done, 1);
}

TEST(Workers, ASlowJobDoesNotHoldUpOthers) {
  Workers workers(2);
  std::promise<void> second;
  std::promise<void> first;
  workers.post([&] {
    second.get_future().wait();
    first.set_value();
  });
  workers.post([&] { second.set_value(); });
  first.get_future().wait();
}

}  // namespace
}  // namespace nowhere
