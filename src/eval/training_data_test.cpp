#include "eval/training_data.h"

#include <gtest/gtest.h>

#include "core/test_folder.h"
#include "eval/test_photographs.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class TrainingDataTest : public testing::Test {
 protected:
  TrainingDataTest() { make_files(path("work/data"), 0, 20); }

  // A run in this folder whose config.json says so.
  TrainingData find(const std::string& run, const std::string& settings, const std::string& judged) {
    make_directories(path(run));
    write_file(path(run) / "config.json", settings);
    judged_ = open_source(path(judged));
    return find_training_data(RunReader::open(path(run)), path(run), path(judged), *judged_);
  }

  fs::path path(const std::string& name) const { return folder_.path() / name; }

  TestFolder folder_;
  std::unique_ptr<Source> judged_;
};

// The program runs elsewhere, in a folder of its own.
TEST_F(TrainingDataTest, ARelativePathIsTakenFromWhereTheRunWasStarted) {
  const TrainingData found =
      find("work/runs/x", R"({"root": "runs", "name": "x", "dataroot": "data"})", "work/data");
  EXPECT_EQ(found.unknown, "");
  EXPECT_EQ(found.source, judged_.get());  // the very folder that is judged by
  EXPECT_EQ(found.photos.size(), 20u);
}

TEST_F(TrainingDataTest, ARunThatWasMovedDoesNotFindItsData) {
  const TrainingData found =
      find("elsewhere", R"({"root": "runs", "name": "x", "dataroot": "work/data/"})", "work/data");
  EXPECT_EQ(found.source, nullptr);
  EXPECT_EQ(found.unknown, "its training data, data, cannot be found");
  EXPECT_EQ(find("work/runs/y", R"({"root": "/efs", "name": "y", "dataroot": "data"})", "work/data").source,
            nullptr);
}

TEST_F(TrainingDataTest, OtherDataAreOpened) {
  make_files(path("others"), 100, 30);
  const std::string settings = fmt::format(R"({{"dataroot": "{}"}})", path("others").string());
  const TrainingData found = find("run", settings, "work/data");
  ASSERT_NE(found.source, nullptr);
  EXPECT_NE(found.source, judged_.get());
  EXPECT_EQ(found.photos.size(), 30u);
}

TEST_F(TrainingDataTest, TheFiltersOfTheRunApply) {
  const std::string data = path("work/data").string();
  EXPECT_EQ(find("run", fmt::format(R"({{"dataroot": "{}", "limit": 7}})", data), "work/data").photos.size(),
            7u);
  // Which seven were left after the near-duplicates went is not known without looking for those.
  EXPECT_EQ(find("run", fmt::format(R"({{"dataroot": "{}", "limit": 7, "dedup": true}})", data), "work/data")
                .photos.size(),
            20u);
}

TEST_F(TrainingDataTest, WhatIsGoneOrDoesNotFitIsUnknown) {
  EXPECT_EQ(find("run", R"({"dataroot": "/gone/streets.nwp"})", "work/data").unknown,
            "its training data, streets.nwp, cannot be found");
  EXPECT_EQ(find("run", "{}", "work/data").unknown, "the run does not say what it was trained on");
  EXPECT_EQ(find("run", "broken", "work/data").unknown, "the run does not say what it was trained on");
  const std::string data = path("work/data").string();
  const TrainingData filtered =
      find("run", fmt::format(R"({{"dataroot": "{}", "city": ["oslo"]}})", data), "work/data");
  EXPECT_EQ(filtered.source, nullptr);
  EXPECT_EQ(filtered.unknown, "its training data, data, cannot be read as they were then");
}

}  // namespace
}  // namespace nowhere
