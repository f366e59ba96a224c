#include "core/background.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace nowhere {
namespace {

TEST(Background, DoesAllJobsInOrder) {
  std::vector<int> done;
  {
    Background background([](const std::string&) {});
    for (int i = 0; i < 1000; ++i) background.post([&done, i] { done.push_back(i); });
  }
  ASSERT_EQ(done.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[static_cast<size_t>(i)], i);
}

TEST(Background, FinishWaitsForWhatWasPosted) {
  Background background([](const std::string&) {});
  int done = 0;
  for (int i = 0; i < 10; ++i) background.post([&done] { ++done; });
  background.finish();
  EXPECT_EQ(done, 10);
}

TEST(Background, AFailureIsReportedAndTheRestIsDone) {
  std::vector<std::string> failures;
  int done = 0;
  Background background([&](const std::string& reason) { failures.push_back(reason); });
  background.post([] { throw std::runtime_error("no space left on device"); });
  background.post([&done] { ++done; });
  background.finish();
  EXPECT_EQ(failures, std::vector<std::string>{"no space left on device"});
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace nowhere
