#include "core/stopwatch.h"

#include <gtest/gtest.h>

#include <thread>

namespace nowhere {
namespace {

TEST(Stopwatch, ALapBeginsAnew) {
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double before = watch.seconds(), lap = watch.lap();
  EXPECT_GE(before, 0.005);
  EXPECT_GE(lap, before);
}

TEST(Stopwatch, TheProcessorsTimeDoesNotPassInSleep) {
  const Stopwatch clock;
  const CpuStopwatch processor;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(processor.seconds(), clock.seconds());
  const double before = processor.seconds();
  for (volatile int i = 0; i < 1'000'000;) i = i + 1;
  EXPECT_GT(processor.seconds(), before);
}

}  // namespace
}  // namespace nowhere
