#include "observe/stats_log.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/file.h"
#include "core/test_file_limit.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

namespace json = boost::json;

std::string text_of(const std::filesystem::path& path) {
  return std::string(MappedFile::open(path).value().text());
}

std::vector<int64_t> images_of(const std::filesystem::path& path) {
  std::vector<int64_t> images;
  for (const json::object& line : read_stats(path)) images.push_back(line.at("images").to_number<int64_t>());
  return images;
}

TEST(StatsLog, OneObjectOnEachLine) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  StatsLog log(path, 0);
  log.append({{"images", 64}, {"loss", {{"d", 0.5}}}});
  log.append({{"images", 128}, {"note", "two\nlines"}});
  EXPECT_EQ(text_of(path),
            "{\"images\":64,\"loss\":{\"d\":5E-1}}\n{\"images\":128,\"note\":\"two\\nlines\"}\n");
  EXPECT_EQ(images_of(path), (std::vector<int64_t>{64, 128}));
}

TEST(StatsLog, NumbersThatJsonCannotExpressAreNull) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  StatsLog log(path, 0);
  log.append(
      {{"a", nan}, {"b", json::array{1, std::numeric_limits<double>::infinity()}}, {"c", {{"d", nan}}}});
  EXPECT_EQ(text_of(path), "{\"a\":null,\"b\":[1,null],\"c\":{\"d\":null}}\n");
}

TEST(StatsLog, AResumedRunDropsWhatCameAfterItsCheckpoint) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  {
    StatsLog log(path, 0);
    for (const int images : {64, 128, 192, 256}) log.append({{"images", images}});
  }
  StatsLog log(path, 128);
  EXPECT_EQ(images_of(path), (std::vector<int64_t>{64, 128}));
  log.append({{"images", 160}});
  EXPECT_EQ(images_of(path), (std::vector<int64_t>{64, 128, 160}));
}

TEST(StatsLog, OtherLinesStay) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  const std::string text = "{\"event\":\"began\"}\n{\"images\":3.0}\n{\"images\":\"x\"}\n";
  write_file(path, text + "{\"images\":5}\n{\"images\":18446744073709551615}\n");
  const StatsLog log(path, 4);
  EXPECT_EQ(text_of(path), text);
}

TEST(StatsLog, AnIncompleteLineIsRemoved) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  const std::string whole = "{\"images\":1}\n";
  const std::vector<std::string> ends = {"{\"ima", "{\"images\":2,\"loss\":1", "{", "\"x\"",
                                         std::string(16, '\0')};
  for (const std::string& torn : ends) {
    write_file(path, whole + torn);
    EXPECT_EQ(images_of(path), (std::vector<int64_t>{1})) << torn;
    StatsLog log(path, 100);
    log.append({{"images", 2}});
    EXPECT_EQ(text_of(path), whole + "{\"images\":2}\n") << torn;
  }
}

TEST(StatsLog, ATruncatedFileKeepsItsCompleteLines) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  const std::string line = "{\"images\":1,\"loss\":{\"d\":[0.5,null]}}\n";
  const std::string whole = line + line + line;
  for (size_t size = 0; size <= whole.size(); ++size) {
    write_file(path, whole.substr(0, size));
    // A line that lacks only its newline is complete.
    EXPECT_EQ(images_of(path).size(), (size + 1) / line.size()) << size;
  }
}

TEST(StatsLog, ACompleteLastLineWithoutANewlineGetsOne) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  write_file(path, std::string_view("{\"images\":1}"));
  StatsLog log(path, 100);
  log.append({{"images", 2}});
  EXPECT_EQ(images_of(path), (std::vector<int64_t>{1, 2}));
}

TEST(StatsLog, AFullDiskIsReportedAndLeavesWholeLines) {
  const TestFolder folder;
  const auto path = folder.path() / "stats.jsonl";
  StatsLog log(path, 0);
  log.append({{"images", 1}});
  {
    const TestFileLimit full(std::filesystem::file_size(path) + 5);
    log.append({{"images", 2}});
  }
  log.append({{"images", 3}});
  EXPECT_NE(log.failure(), "");
  EXPECT_EQ(images_of(path), (std::vector<int64_t>{1, 3}));
}

TEST(StatsLog, AFileThatCannotBeOpenedIsAnError) {
  const TestFolder folder;
  EXPECT_THROW(StatsLog(folder.path() / "none" / "stats.jsonl", 0), Error);
  EXPECT_THROW(StatsLog(folder.path(), 0), Error);
  EXPECT_THROW(read_stats(folder.path() / "none"), Error);
}

}  // namespace
}  // namespace nowhere
