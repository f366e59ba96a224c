#include "serve/single_flight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace nowhere {
namespace {

TEST(SingleFlight, TheFirstRequestServesAll) {
  SingleFlight flights;
  std::vector<int> called;
  const auto waiter = [&](int name) {
    return [&called, name](const EncodedResult& result) { called.push_back(name * result.status); };
  };
  EXPECT_TRUE(flights.join("a", waiter(1)));
  EXPECT_FALSE(flights.join("a", waiter(2)));
  EXPECT_TRUE(flights.join("b", waiter(3)));
  flights.finish("a", {.status = 503});  // failures go to all waiters too
  EXPECT_EQ(called, (std::vector<int>{503, 1006}));
  EXPECT_TRUE(flights.join("a", waiter(4)));
  flights.finish("c", {});
  EXPECT_EQ(called.size(), 2u);
}

TEST(SingleFlight, AWaiterMayJoinAgain) {
  SingleFlight flights;
  bool first = false;
  flights.join("a", [&](const EncodedResult&) { first = flights.join("a", [](const EncodedResult&) {}); });
  flights.finish("a", {});
  EXPECT_TRUE(first);
}

TEST(SingleFlight, ManyThreads) {
  SingleFlight flights;
  std::atomic<int> called = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const std::string key = std::to_string(i % 3);
        if (flights.join(key, [&](const EncodedResult&) { ++called; })) flights.finish(key, {});
      }
    });
  threads.clear();
  EXPECT_EQ(called, 4000);
}

}  // namespace
}  // namespace nowhere
