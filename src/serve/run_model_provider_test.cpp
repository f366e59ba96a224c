#include "serve/run_model_provider.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "core/error.h"
#include "core/text.h"
#include "serve/fake_model.h"
#include "serve/memory_store.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class RunModelProviderTest : public testing::Test {
 protected:
  // A checkpoint holds the epoch that its model reports, or text that no model can be made of.
  void write(const std::string& name, const std::string& text) {
    store_->write(name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  void save(uint64_t epoch) { write(name_of(epoch), std::to_string(epoch)); }
  static std::string name_of(uint64_t epoch) { return "checkpoint_" + std::to_string(epoch) + ".pt"; }

  std::shared_ptr<Model> load(const RunReader& run, const CheckpointFile& file) {
    ++loads_;
    if (before_read_) before_read_(file);
    const auto content = run.store().read(file.name);
    if (!content) throw std::runtime_error(content.error().reason);
    const auto epoch = parse_integer(std::string(content->bytes.begin(), content->bytes.end()));
    if (!epoch) throw std::runtime_error(file.name + " is broken");
    return std::make_shared<FakeModel>(static_cast<uint64_t>(*epoch));
  }
  std::unique_ptr<RunModelProvider> provider(std::optional<uint64_t> epoch = {},
                                             std::optional<std::string> only = {}) {
    return std::make_unique<RunModelProvider>(
        RunReader(store_, "run", std::move(only)),
        [this](const RunReader& run, const CheckpointFile& file) { return load(run, file); },
        RunModelConfig{.epoch = epoch,
                       .follow = true,
                       .on_error = [this](const std::string& what) { errors_.push_back(what); },
                       .now = [this] { return now_.load(); }});
  }
  static std::vector<uint64_t> numbers(const std::vector<SavedEpoch>& epochs) {
    std::vector<uint64_t> found;
    for (const SavedEpoch& saved : epochs) found.push_back(saved.epoch);
    return found;
  }
  static uint64_t current_epoch(const RunModelProvider& provider) {
    return provider.current()->facts().epoch;
  }

  const std::shared_ptr<MemoryStore> store_ = std::make_shared<MemoryStore>();
  std::function<void(const CheckpointFile&)> before_read_;  // between find and load
  std::atomic<int> loads_ = 0;
  std::vector<std::string> errors_;  // of the thread that looks for newer checkpoints
  std::atomic<Clock::time_point> now_{Clock::time_point(1h)};
};

using Numbers = std::vector<uint64_t>;

TEST_F(RunModelProviderTest, OpensTheNewestCheckpoint) {
  save(1);
  save(10);
  save(9);
  write("config.json", "{}");
  const auto models = provider();
  EXPECT_EQ(models->current(), nullptr);
  models->open();
  EXPECT_EQ(current_epoch(*models), 10u);
  EXPECT_EQ(numbers(models->epochs()), (Numbers{1, 9, 10}));
  EXPECT_EQ(models->load(9)->facts().epoch, 9u);
  EXPECT_EQ(loads_, 2);
}

TEST_F(RunModelProviderTest, OpensTheChosenEpoch) {
  save(1);
  save(2);
  const auto models = provider(1);
  models->open();
  EXPECT_EQ(current_epoch(*models), 1u);
  save(3);
  models->look_for_newer();  // another epoch is none of its business
  EXPECT_EQ(loads_, 1);
  EXPECT_THROW(provider(7)->open(), Error);
}

TEST_F(RunModelProviderTest, WaitsForTheFirstCheckpoint) {
  const auto models = provider();
  EXPECT_THROW(models->open(), Error);
  EXPECT_TRUE(models->epochs().empty());
  save(1);
  EXPECT_EQ(numbers(models->epochs()), Numbers{1});  // an empty list is never kept
  models->open();
  EXPECT_EQ(current_epoch(*models), 1u);
}

TEST_F(RunModelProviderTest, FollowsTheRun) {
  save(1);
  const auto models = provider();
  models->open();
  models->look_for_newer();
  EXPECT_EQ(loads_, 1);  // nothing new
  save(2);
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 2u);
  write("checkpoint_2_batch_40.pt", "3");  // within the next epoch
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 3u);
  EXPECT_TRUE(errors_.empty());
}

TEST_F(RunModelProviderTest, DoesNotFollowUnlessItIsTold) {
  save(1);
  RunModelProvider models(
      RunReader(store_, "run"),
      [this](const RunReader& run, const CheckpointFile& file) { return load(run, file); }, {});
  models.open();
  save(2);
  models.look_for_newer();
  EXPECT_EQ(current_epoch(models), 1u);
  EXPECT_FALSE(models.following());
}

TEST_F(RunModelProviderTest, ABadCheckpointIsReportedOnceAndTheOldModelStays) {
  save(1);
  const auto models = provider();
  models->open();
  write(name_of(2), "bad");
  for (int look = 0; look < 3; ++look) models->look_for_newer();
  EXPECT_EQ(loads_, 2);
  ASSERT_EQ(errors_.size(), 1u);
  EXPECT_EQ(errors_[0], "a newer checkpoint cannot be loaded, the old one stays: checkpoint_2.pt is broken");
  EXPECT_EQ(current_epoch(*models), 1u);
  write(name_of(2), "bad");  // another file, just as bad
  for (int look = 0; look < 3; ++look) models->look_for_newer();
  EXPECT_EQ(errors_.size(), 2u);
  save(2);
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 2u);
  EXPECT_EQ(errors_.size(), 2u);
}

TEST_F(RunModelProviderTest, ARunWithoutCheckpointsIsReportedOnce) {
  save(1);
  const auto models = provider();
  models->open();
  for (int time = 1; time <= 2; ++time) {
    store_->remove(name_of(1));
    for (int look = 0; look < 3; ++look) models->look_for_newer();
    EXPECT_EQ(errors_.size(), static_cast<size_t>(time));
    EXPECT_EQ(current_epoch(*models), 1u);
    save(1);
    models->look_for_newer();
  }
}

TEST_F(RunModelProviderTest, AFileReplacedBeforeItIsLoadedIsLoadedAgain) {
  save(1);
  const auto models = provider();
  models->open();
  save(2);
  std::vector<CheckpointFile> loaded;
  before_read_ = [&](const CheckpointFile& file) {
    loaded.push_back(file);
    if (loaded.size() == 1) write(file.name, "22");  // training starts over, and saves epoch 2 again
  };
  const uint64_t found = *store_->stamp(name_of(2));
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 22u);
  models->look_for_newer();
  models->look_for_newer();
  ASSERT_EQ(loaded.size(), 2u);  // once per file, and each time exactly the one that was found
  EXPECT_EQ(loaded[0], (CheckpointFile{name_of(2), 2, found}));
  EXPECT_EQ(loaded[1], (CheckpointFile{name_of(2), 2, *store_->stamp(name_of(2))}));
  EXPECT_TRUE(errors_.empty());
}

TEST_F(RunModelProviderTest, ANewerFileThatAppearsBeforeTheLoadIsLeftForTheNextLook) {
  save(1);
  const auto models = provider();
  models->open();
  save(2);
  before_read_ = [&](const CheckpointFile&) { save(3); };
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 2u);
  before_read_ = nullptr;
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 3u);
}

TEST_F(RunModelProviderTest, AnEpochThatDisappearsIsGone) {
  save(1);
  save(2);
  const auto models = provider();
  models->open();
  EXPECT_EQ(numbers(models->epochs()), (Numbers{1, 2}));
  store_->remove(name_of(1));
  EXPECT_EQ(models->load(1), nullptr);  // although it is still listed
  save(1);
  before_read_ = [&](const CheckpointFile& file) { store_->remove(file.name); };
  EXPECT_EQ(models->load(1), nullptr);  // between find and load
  before_read_ = nullptr;
  write(name_of(1), "bad");
  EXPECT_THROW(models->load(1), std::runtime_error);
  now_ = now_.load() + 1s;
  store_->remove(name_of(1));
  EXPECT_EQ(numbers(models->epochs()), Numbers{2});
}

TEST_F(RunModelProviderTest, ALoneCheckpointIsItsOnlyEpoch) {
  save(4);
  write("streets.pt", "9");  // the epoch is in the file, not in its name
  const auto models = provider({}, "streets.pt");
  EXPECT_TRUE(models->epochs().empty());
  models->open();
  EXPECT_EQ(models->epochs(), (std::vector<SavedEpoch>{{9, *store_->stamp("streets.pt")}}));
  EXPECT_EQ(models->load(9), models->current());
  EXPECT_EQ(models->load(4), nullptr);
  const auto old = models->epochs();
  write("streets.pt", "9");
  EXPECT_EQ(models->epochs(), old);  // the stamp is that of the model that load() returns
  models->look_for_newer();
  EXPECT_NE(models->epochs(), old);
  EXPECT_EQ(loads_, 2);
}

TEST_F(RunModelProviderTest, ALongRunIsListedOnceASecond) {
  for (uint64_t epoch = 1; epoch <= 1000; ++epoch) save(epoch);
  const auto models = provider();
  const int lists = store_->lists;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(models->epochs().size(), 1000u);
  EXPECT_EQ(store_->lists, lists);
  save(1001);
  now_ = now_.load() + 999ms;
  EXPECT_EQ(models->epochs().size(), 1000u);
  now_ = now_.load() + 1ms;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(models->epochs().size(), 1001u);
  EXPECT_EQ(store_->lists, lists + 1);
  EXPECT_EQ(models->load(500)->facts().epoch, 500u);
}

TEST_F(RunModelProviderTest, ASlowListingHoldsUpNobodyElse) {
  save(1);
  const auto models = provider();
  models->open();
  save(2);
  now_ = now_.load() + 1s;
  store_->gate.close();
  std::vector<SavedEpoch> listed;
  std::jthread lists([&] { listed = models->epochs(); });
  store_->gate.wait_for_arrivals(store_->lists + 1);
  EXPECT_EQ(current_epoch(*models), 1u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(numbers(models->epochs()), Numbers{1});  // the last list
  store_->gate.open();
  lists.join();
  EXPECT_EQ(numbers(listed), (Numbers{1, 2}));
  EXPECT_EQ(numbers(models->epochs()), (Numbers{1, 2}));
}

// The inference thread makes everybody's pictures.
TEST_F(RunModelProviderTest, LoadingAnEpochWaitsForNoListing) {
  save(1);
  save(2);
  const auto models = provider();
  const int lists = store_->lists;
  store_->gate.close();
  EXPECT_EQ(models->load(1)->facts().epoch, 1u);
  EXPECT_EQ(models->load(2)->facts().epoch, 2u);
  EXPECT_EQ(store_->lists, lists);
}

TEST_F(RunModelProviderTest, AnEpochWhoseSlimFileHasGoneIsReadFromTheFullOne) {
  write("slim_checkpoint_1.pt", "1");
  const auto models = provider();
  write(name_of(1), "21");
  EXPECT_EQ(models->load(1)->facts().epoch, 1u);
  store_->remove("slim_checkpoint_1.pt");
  EXPECT_EQ(models->load(1)->facts().epoch, 21u);
  save(3);
  EXPECT_EQ(models->load(3)->facts().epoch, 3u);  // saved since the last list
}

TEST_F(RunModelProviderTest, AListingThatThrowsIsTriedAgain) {
  class FailingStore : public MemoryStore {
   public:
    std::vector<StoredFile> list() const override {
      return fails ? throw std::runtime_error("no store") : MemoryStore::list();
    }
    std::atomic<bool> fails = false;
  };
  const auto store = std::make_shared<FailingStore>();
  RunModelProvider models(RunReader(store, "run"), nullptr, {});
  store->fails = true;
  EXPECT_THROW(models.epochs(), std::runtime_error);
  EXPECT_THROW(models.epochs(), std::runtime_error);
  store->fails = false;
  EXPECT_TRUE(models.epochs().empty());
}

TEST_F(RunModelProviderTest, TheLastListServesWhileTheStoreFails) {
  class FailingStore : public MemoryStore {
   public:
    std::vector<StoredFile> list() const override {
      return fails ? throw Error("no store") : MemoryStore::list();
    }
    std::atomic<bool> fails = false;
  };
  const auto store = std::make_shared<FailingStore>();
  store->write(name_of(1), {});
  RunModelProvider models(RunReader(store, "run"), nullptr, {.now = [this] { return now_.load(); }});
  store->fails = true;
  now_ = now_.load() + 1s;
  EXPECT_EQ(numbers(models.epochs()), Numbers{1});
  store->fails = false;
  store->write(name_of(2), {});
  now_ = now_.load() + 1s;
  EXPECT_EQ(numbers(models.epochs()), (Numbers{1, 2}));
}

TEST_F(RunModelProviderTest, AFileThatItsStoreCouldNotGiveIsAskedForAgain) {
  save(1);
  const auto models = provider();
  models->open();
  save(2);
  before_read_ = [](const CheckpointFile&) { throw Error("no store"); };
  models->look_for_newer();
  models->look_for_newer();
  EXPECT_EQ(loads_, 3);
  EXPECT_EQ(errors_.size(), 1u);  // told once
  before_read_ = nullptr;
  models->look_for_newer();
  EXPECT_EQ(current_epoch(*models), 2u);
}

TEST_F(RunModelProviderTest, ManyThreads) {
  save(1);
  const auto models = provider();
  models->open();
  std::atomic<bool> done = false;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&] {
      while (!done) {
        EXPECT_GE(current_epoch(*models), 1u);
        EXPECT_FALSE(models->epochs().empty());
        EXPECT_NE(models->load(1), nullptr);
      }
    });
  for (uint64_t epoch = 2; epoch <= 50; ++epoch) {
    save(epoch);
    now_ = now_.load() + 1s;
    models->look_for_newer();
    EXPECT_EQ(current_epoch(*models), epoch);
  }
  done = true;
}

}  // namespace
}  // namespace nowhere
