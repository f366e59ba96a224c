#include "core/ring.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "core/parallel.h"

namespace nowhere {
namespace {

// Workers write the number of each job; the consumer must see them all, in order.
void check_order(size_t slots, uint64_t jobs_per_slot, uint64_t jobs, int threads) {
  OrderedRing ring(slots, jobs_per_slot, jobs);
  std::vector<std::vector<uint64_t>> memory(slots, std::vector<uint64_t>(jobs_per_slot));
  std::vector<std::jthread> pool;
  for (int i = 0; i < threads; ++i)
    pool.emplace_back([&] {
      while (const auto job = ring.claim()) {
        memory[ring.slot_of(*job)][*job % jobs_per_slot] = *job;
        ring.finish(*job);
      }
    });
  uint64_t expected = 0;
  while (const auto slot = ring.front()) {
    for (uint64_t i = 0; i < jobs_per_slot && expected < jobs; ++i, ++expected)
      ASSERT_EQ(memory[*slot][i], expected);
    ring.release();
  }
  EXPECT_EQ(expected, jobs);
}

TEST(OrderedRing, GivesSlotsInOrder) {
  for (int threads : {1, 2, 5})
    for (uint64_t jobs_per_slot : {1, 3, 8}) {
      check_order(2, jobs_per_slot, 1000, threads);
      check_order(7, jobs_per_slot, 17, threads);
      check_order(3, jobs_per_slot, 0, threads);
    }
}

TEST(OrderedRing, ClosingFreesEverybody) {
  OrderedRing ring(2, 1, 1000);
  std::jthread worker([&] {
    while (const auto job = ring.claim()) ring.finish(*job);
  });
  ASSERT_TRUE(ring.front());
  ring.close();  // the worker waits for a slot; it must end
  EXPECT_FALSE(ring.front());
}

TEST(OrderedRing, AWorkersErrorReachesTheConsumer) {
  OrderedRing ring(2, 1, 10);
  std::jthread worker([&] { ring.fail(std::make_exception_ptr(std::runtime_error("broken"))); });
  EXPECT_THROW(ring.front(), std::runtime_error);
}

TEST(ParallelFor, DoesEveryItemOnce) {
  std::vector<int> seen(1000, 0);
  parallel_for(seen.size(), 4, [&](size_t item) { ++seen[item]; });
  for (int count : seen) EXPECT_EQ(count, 1);
  parallel_for(0, 4, [](size_t) { FAIL(); });
}

TEST(ParallelFor, ChunksCoverEverythingOnce) {
  std::vector<int> seen(103, 0);
  int64_t last = 0;
  parallel_chunks(
      seen.size(), 10, 3,
      [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++seen[i];
      },
      [&](int64_t done) { last = std::max(last, done); });
  for (int count : seen) EXPECT_EQ(count, 1);
  EXPECT_EQ(last, 103);
}

TEST(ParallelFor, ThrowsWhatWasThrown) {
  EXPECT_THROW(parallel_for(100, 3,
                            [](size_t item) {
                              if (item == 50) throw std::runtime_error("x");
                            }),
               std::runtime_error);
}

}  // namespace
}  // namespace nowhere
