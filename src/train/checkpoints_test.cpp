#include "train/checkpoints.h"

#include <gtest/gtest.h>

#include "archive/torch_file.h"
#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

Value some_checkpoint(uint64_t epoch) {
  Dict dict;
  dict.add("epoch", epoch);
  return dict;
}

// The reader refuses a key that is there twice.
Value unreadable_checkpoint() {
  Dict dict;
  dict.add("epoch", 1);
  dict.add("epoch", 2);
  return dict;
}

struct Saving {
  TestFolder folder;
  RunDirectory run{folder.path() / "run"};
  TrainConfig config;
  std::vector<std::string> complaints;  // the background thread's until finish()
  Background background{[this](const std::string& reason) { complaints.push_back(reason); }};
  std::vector<uint64_t> written;
  Checkpoints checkpoints{run, config, background,
                          [this](uint64_t epoch, double) { written.push_back(epoch); }};

  explicit Saving(int64_t keep_last) {
    config.keep_last = keep_last;
    run.claim();
  }
  ~Saving() { background.finish(); }
  void save(uint64_t epoch, uint64_t batches, Value full) {
    checkpoints.save({.epoch = epoch, .batches = batches, .full = std::move(full)});
    background.finish();
  }
};

std::vector<std::string> checkpoint_names(const RunDirectory& run) {
  std::vector<std::string> found;
  for (const CheckpointName& name : run.checkpoints()) found.push_back(name.file_name());
  return found;
}

TEST(Checkpoints, NothingIsRemovedForAFileThatCannotBeReadBack) {
  Saving saving(1);
  saving.save(1, 0, some_checkpoint(1));
  EXPECT_FALSE(saving.checkpoints.failed());
  saving.save(2, 0, unreadable_checkpoint());
  EXPECT_TRUE(saving.checkpoints.failed());
  ASSERT_EQ(saving.complaints.size(), 1u);
  EXPECT_NE(saving.complaints[0].find("cannot be read back"), std::string::npos) << saving.complaints[0];
  EXPECT_EQ(checkpoint_names(saving.run), (std::vector<std::string>{"checkpoint_1.pt"}));
  saving.save(3, 0, some_checkpoint(3));
  EXPECT_EQ(checkpoint_names(saving.run), (std::vector<std::string>{"checkpoint_3.pt"}));
  EXPECT_EQ(saving.written, (std::vector<uint64_t>{1, 3}));
}

TEST(Checkpoints, WhatFollowsADamagedOneIsKept) {
  Saving saving(0);
  for (const uint64_t epoch : {1, 3}) saving.save(epoch, 0, some_checkpoint(epoch));
  write_file(saving.run.checkpoint(5), std::string_view("PK\3\4 cut off"));
  std::vector<std::string> warnings;
  const auto newest =
      newest_checkpoint(saving.run, [&](const std::string& line) { warnings.push_back(line); });
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->name.epoch, 3u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("kept as checkpoint_5.pt.damaged"), std::string::npos) << warnings[0];
  EXPECT_TRUE(std::filesystem::exists(saving.run.path() / "checkpoint_5.pt.damaged"));
  saving.save(3, 5, some_checkpoint(3));
  EXPECT_EQ(checkpoint_names(saving.run),
            (std::vector<std::string>{"checkpoint_3_batch_5.pt", "checkpoint_3.pt", "checkpoint_1.pt"}));
}

}  // namespace
}  // namespace nowhere
