#include "serve/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace nowhere {
namespace {

TEST(Workers, DoEverythingBeforeTheyEnd) {
  std::atomic<int> done = 0;
  {
    Workers workers(3);
    for (int i = 0; i < 1000; ++i) workers.post([&] { ++done; });
  }
  EXPECT_EQ(done, 1000);
}

TEST(Workers, OneThatTakesLongDoesNotHoldUpTheOthers) {
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
