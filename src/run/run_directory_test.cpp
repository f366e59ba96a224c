#include "run/run_directory.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

void touch(const std::filesystem::path& path) {
  write_file(path, std::string_view("x"));
}

std::vector<std::string> names(const RunDirectory& run) {
  std::vector<std::string> found;
  for (const CheckpointName& name : run.checkpoints()) found.push_back(name.file_name());
  return found;
}

using Names = std::vector<std::string>;

TEST(RunDirectory, RemembersAProcessThatWroteNothing) {
  const TestFolder folder;
  const std::filesystem::path path = folder.path() / "run";
  EXPECT_FALSE(RunDirectory(path).claimed_before());
  std::filesystem::create_directories(path);
  std::ofstream(path / "lock") << "process 1 on host";  // what a killed one leaves
  EXPECT_TRUE(RunDirectory(path).claimed_before());
  EXPECT_FALSE(RunDirectory(path).used());
}

TEST(RunDirectory, TheNewestCheckpointComesFirst) {
  const TestFolder folder;
  RunDirectory run(folder.path() / "run");
  run.claim();
  touch(run.checkpoint(2));
  touch(run.checkpoint(10));
  touch(run.checkpoint(9, 120));
  touch(run.checkpoint(10, 7));
  touch(run.slim_checkpoint(11));
  EXPECT_EQ(names(run), (Names{"checkpoint_10_batch_7.pt", "checkpoint_10.pt", "checkpoint_9_batch_120.pt",
                               "checkpoint_2.pt"}));
}

TEST(RunDirectory, PruningKeepsTheLastTheBestAndTheOneUnderWay) {
  const TestFolder folder;
  RunDirectory run(folder.path() / "run");
  run.claim();
  for (uint64_t epoch : {1, 2, 3, 4, 5}) touch(run.checkpoint(epoch));
  touch(run.checkpoint(3, 9));
  touch(run.checkpoint(5, 9));
  touch(run.path() / "checkpoint_6.pt.123.tmp");
  run.prune(2, 1, {.epoch = 5, .batches = 9});
  EXPECT_EQ(names(run),
            (Names{"checkpoint_5_batch_9.pt", "checkpoint_5.pt", "checkpoint_4.pt", "checkpoint_1.pt"}));
  EXPECT_FALSE(std::filesystem::exists(run.path() / "checkpoint_6.pt.123.tmp"));
}

TEST(RunDirectory, PruningLeavesWhatWasWrittenJustNow) {
  const TestFolder folder;
  RunDirectory run(folder.path() / "run");
  run.claim();
  for (uint64_t epoch : {3, 4, 5}) touch(run.checkpoint(epoch));
  touch(run.checkpoint(3, 9));
  run.prune(2, {}, {.epoch = 3, .batches = 9});
  EXPECT_EQ(names(run), (Names{"checkpoint_5.pt", "checkpoint_4.pt", "checkpoint_3_batch_9.pt"}));
  run.prune(1, {}, {.epoch = 4});
  EXPECT_EQ(names(run), (Names{"checkpoint_5.pt", "checkpoint_4.pt"}));
}

TEST(RunDirectory, ADamagedCheckpointIsSetAside) {
  const TestFolder folder;
  RunDirectory run(folder.path() / "run");
  run.claim();
  for (const char* name : {"checkpoint_5.pt.damaged", "checkpoint_5.pt.damaged.2"}) {
    touch(run.checkpoint(5));
    EXPECT_EQ(run.set_aside({.epoch = 5}), run.path() / name);
    EXPECT_TRUE(std::filesystem::exists(run.path() / name));
    EXPECT_TRUE(names(run).empty());
  }
  EXPECT_THROW(run.set_aside({.epoch = 5}), Error);  // it is not there
  touch(run.path() / "mine.damaged");
  run.clear();
  EXPECT_FALSE(std::filesystem::exists(run.path() / "checkpoint_5.pt.damaged.2"));
  EXPECT_TRUE(std::filesystem::exists(run.path() / "mine.damaged"));
}

TEST(RunDirectory, GoingOnFromAnEpochForgetsWhatCameAfterIt) {
  const TestFolder folder;
  RunDirectory run(folder.path() / "run");
  run.claim();
  for (uint64_t epoch : {1, 2, 3}) {
    touch(run.checkpoint(epoch));
    touch(run.slim_checkpoint(epoch));
    touch(run.fixed_noise(epoch));
  }
  touch(run.checkpoint(2, 5));
  touch(run.best());
  run.forget_after(2);
  EXPECT_EQ(names(run), (Names{"checkpoint_2.pt", "checkpoint_1.pt"}));
  EXPECT_TRUE(std::filesystem::exists(run.slim_checkpoint(2)));
  EXPECT_FALSE(std::filesystem::exists(run.slim_checkpoint(3)));
  EXPECT_TRUE(std::filesystem::exists(run.fixed_noise(2)));
  EXPECT_FALSE(std::filesystem::exists(run.fixed_noise(3)));
  EXPECT_FALSE(std::filesystem::exists(run.best()));
}

TEST(RunDirectory, IsClaimedOnceAndForgottenWhenNothingWasSaved) {
  const TestFolder folder;
  const auto path = folder.path() / "run";
  {
    RunDirectory run(path), again(path);
    run.claim();
    EXPECT_THROW(again.claim(), Error);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  {
    RunDirectory run(path);
    run.claim();
    touch(run.config());
  }
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(RunDirectory, ClearingLeavesWhatIsNotOurs) {
  const TestFolder folder;
  RunDirectory run(folder.path() / "run");
  run.claim();
  touch(run.checkpoint(1));
  touch(run.config());
  touch(run.path() / "config.json.77.tmp");
  touch(run.path() / "mine.77.tmp");
  touch(run.figures() / "x.png");
  touch(run.path() / "notes.txt");
  run.clear();
  EXPECT_FALSE(run.used());
  EXPECT_FALSE(std::filesystem::exists(run.figures() / "x.png"));
  EXPECT_TRUE(std::filesystem::exists(run.path() / "notes.txt"));
  EXPECT_FALSE(std::filesystem::exists(run.path() / "config.json.77.tmp"));
  EXPECT_TRUE(std::filesystem::exists(run.path() / "mine.77.tmp"));
}

}  // namespace
}  // namespace nowhere
