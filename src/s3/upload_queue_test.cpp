#include "s3/upload_queue.h"

#include <gtest/gtest.h>

#include <latch>
#include <semaphore>
#include <set>
#include <stdexcept>

namespace nowhere {
namespace {

using Files = std::vector<std::filesystem::path>;

class UploadQueueTest : public testing::Test {
 protected:
  void upload(const std::filesystem::path& file) {
    tried_.push_back(file);
    if (failing_.contains(file.string())) throw std::runtime_error("no store");
  }
  UploadQueue::Upload action() {
    return [this](const std::filesystem::path& file) { upload(file); };
  }

  Files tried_;
  std::set<std::string> failing_;
  std::vector<std::string> warnings_;
};

TEST_F(UploadQueueTest, WhatFailedIsTriedAgainWithTheNextFile) {
  failing_ = {"a"};
  std::counting_semaphore<> warned{0};
  UploadQueue queue(action(), [&](const std::string& what) { warnings_.push_back(what), warned.release(); });
  queue.add("a");
  warned.acquire();
  failing_.clear();
  queue.add("b");
  EXPECT_TRUE(queue.finish().empty());
  EXPECT_EQ(tried_, (Files{"a", "b", "a"}));  // the newest first
  EXPECT_EQ(warnings_, std::vector<std::string>{"a was not uploaded: no store"});
}

TEST_F(UploadQueueTest, WhatNeverArrivesIsNamedAtTheEnd) {
  failing_ = {"a", "c"};
  UploadQueue queue(action(), [](const std::string&) {});
  for (const char* name : {"a", "b", "c"}) {
    queue.add(name);
    EXPECT_TRUE(queue.has_had(name));
  }
  EXPECT_FALSE(queue.has_had("d"));
  EXPECT_EQ(queue.finish(), (Files{"a", "c"}));
}

TEST_F(UploadQueueTest, AddingWaitsForNoUpload) {
  std::latch gate(1);
  UploadQueue queue([&](const std::filesystem::path&) { gate.wait(); }, [](const std::string&) {});
  for (int i = 0; i < 100; ++i) queue.add(std::to_string(i));
  gate.count_down();
  EXPECT_TRUE(queue.finish().empty());
}

}  // namespace
}  // namespace nowhere
