#include "serve/model_cache.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "serve/fake_model.h"

namespace nowhere {
namespace {

TEST(ModelCache, LoadsOnceAndKeepsTheMostRecentlyUsed) {
  FakeModelProvider provider;
  ModelCache cache(provider, 2);
  EXPECT_FALSE(cache.digest_of({2, 0}));
  const auto second = cache.get({2, 0});
  EXPECT_EQ(second->facts().epoch, 2u);
  EXPECT_EQ(cache.get({2, 0}), second);
  cache.get({3, 0});
  EXPECT_EQ(provider.loads, 2);
  cache.get({2, 0});
  cache.get({5, 0});  // evicts 3
  EXPECT_EQ(cache.get({2, 0}), second);
  EXPECT_EQ(provider.loads, 3);
  cache.get({3, 0});
  EXPECT_EQ(provider.loads, 4);
  EXPECT_EQ(cache.digest_of({5, 0}), cache.get({5, 0})->facts().digest);
}

TEST(ModelCache, LoadsAChangedFileAgain) {
  FakeModelProvider provider;
  ModelCache cache(provider, 2);
  cache.get({3, 7});
  EXPECT_TRUE(cache.digest_of({3, 7}));
  EXPECT_FALSE(cache.digest_of({3, 8}));
  cache.get({3, 8});
  EXPECT_EQ(provider.loads, 2);
  EXPECT_FALSE(cache.digest_of({3, 7}));
}

TEST(ModelCache, RetriesAMissingEpochButNotAnUnreadableFile) {
  FakeModelProvider provider;
  ModelCache cache(provider, 2);
  EXPECT_EQ(cache.get({1, 0}), nullptr);
  EXPECT_EQ(cache.get({1, 0}), nullptr);
  EXPECT_THROW(cache.get({4, 0}), std::runtime_error);
  EXPECT_EQ(provider.loads, 3);
  EXPECT_EQ(cache.get({4, 0}), nullptr);
  EXPECT_EQ(provider.loads, 3);
  EXPECT_THROW(cache.get({4, 1}), std::runtime_error);  // the file has changed
  EXPECT_EQ(provider.loads, 4);
}

TEST(ModelCache, AStoreThatFailedIsAskedAgainAfterAMinute) {
  class FailingProvider : public FakeModelProvider {
   public:
    std::shared_ptr<Model> load(uint64_t epoch) override {
      return fails ? throw Error("no store") : FakeModelProvider::load(epoch);
    }
    bool fails = true;
  };
  using namespace std::chrono_literals;
  std::chrono::steady_clock::time_point now{};
  FailingProvider provider;
  ModelCache cache(provider, 2, [&] { return now; });
  EXPECT_THROW(cache.get({2, 0}), Error);
  provider.fails = false;
  now += 59s;
  EXPECT_EQ(cache.get({2, 0}), nullptr);
  now += 1s;
  EXPECT_EQ(cache.get({2, 0})->facts().epoch, 2u);
}

}  // namespace
}  // namespace nowhere
