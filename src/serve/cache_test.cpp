#include "serve/cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace nowhere {
namespace {

TEST(BodyCache, ReturnsWhatWasPut) {
  BodyCache cache(10'000);
  EXPECT_FALSE(cache.get("a"));
  cache.put("a", std::string("picture"));
  const auto body = cache.get("a");
  ASSERT_TRUE(body);
  EXPECT_EQ(std::string(body->bytes().begin(), body->bytes().end()), "picture");
}

TEST(BodyCache, TheLeastRecentlyUsedGoesFirst) {
  BodyCache cache(3 * 1300);
  for (const char* key : {"a", "b", "c"}) cache.put(key, std::string(1000, 'x'));
  cache.get("a");
  cache.put("d", std::string(1000, 'x'));
  EXPECT_TRUE(cache.get("a"));
  EXPECT_FALSE(cache.get("b"));
  EXPECT_TRUE(cache.get("c"));
  EXPECT_TRUE(cache.get("d"));
  EXPECT_LE(cache.bytes(), 3u * 1300u);
  EXPECT_GT(cache.bytes(), 3u * 1000u);
}

TEST(BodyCache, ABodyThatIsTooLargeIsNotKept) {
  BodyCache cache(1000);
  cache.put("small", std::string("x"));
  cache.put("large", std::string(1000, 'x'));
  EXPECT_FALSE(cache.get("large"));
  EXPECT_TRUE(cache.get("small"));
  BodyCache none(0);
  none.put("a", std::string());
  EXPECT_FALSE(none.get("a"));
}

TEST(BodyCache, ManyThreads) {
  BodyCache cache(50 * 1300);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 2000; ++i) {
        const std::string key = std::to_string((i * (thread + 1)) % 100);
        const auto body = cache.get(key);
        EXPECT_TRUE(!body || body->bytes().size() == 1000 + key.size());
        cache.put(key, std::string(1000 + key.size(), 'x'));
      }
    });
  threads.clear();
  EXPECT_LE(cache.bytes(), 50u * 1300u);
}

}  // namespace
}  // namespace nowhere
