// What TensorBoard itself makes of the files is tested in tests/test_events.py.
#include "observe/events.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <regex>

#include "core/file.h"
#include "core/test_file_limit.h"
#include "core/test_folder.h"
#include "observe/event_record.h"

namespace nowhere {
namespace {

// The data of a file's records; every checksum must be right, and nothing may be left over.
std::vector<std::string> records_of(const std::filesystem::path& path) {
  const MappedFile file = MappedFile::open(path).value();
  std::string_view rest = file.text();
  std::vector<std::string> records;
  while (!rest.empty()) {
    uint64_t length = 0;
    if (rest.size() < sizeof(length)) throw std::runtime_error("half a length");
    std::memcpy(&length, rest.data(), sizeof(length));
    const std::string data(rest.substr(12, length));
    if (!rest.starts_with(frame_record(data))) throw std::runtime_error("a damaged record");
    records.push_back(data);
    rest.remove_prefix(length + 16);
  }
  return records;
}

TEST(EventWriter, NameAndFirstRecord) {
  const TestFolder folder;
  const EventWriter writer(folder.path() / "run" / "events");
  EXPECT_TRUE(std::regex_match(writer.path().filename().string(),
                               std::regex("events\\.out\\.tfevents\\.\\d{10}\\..+\\.\\d+\\.\\d+")))
      << writer.path();
  // In the file at once, so that TensorBoard sees the run before its first figures.
  const auto records = records_of(writer.path());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].substr(9),
            "\x1a\x0d"
            "brain.Event:2");  // after the time, a double
}

TEST(EventWriter, OneRecordForEachFigure) {
  const TestFolder folder;
  std::filesystem::path path;
  {
    EventWriter writer(folder.path());
    path = writer.path();
    writer.restart(10);
    writer.scalar("loss/d", 11, 0.0);
    writer.image("samples", 12, Image(8, 4, 200));
    writer.histogram("weights", 13, std::vector<float>{1, 2, 3});
    writer.histogram("nothing finite", 13, std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
    EXPECT_EQ(records_of(path).size(), 1u);
    writer.flush();
    EXPECT_EQ(records_of(path).size(), 5u);
    writer.scalar("loss/d", 14, 0.5);
  }
  const auto records = records_of(path);
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records[1].substr(9), "\x10\x0a\x3a\x02\x08\x01");
  // A value of 0 is written: leaving it out would mean no value.
  EXPECT_EQ(records[2].substr(9), std::string("\x10\x0b\x2a\x0f\x0a\x0d\x0a\x06loss/d\x15\0\0\0\0", 19));
}

TEST(EventWriter, ManyRecordsAreWrittenWithoutAFlush) {
  const TestFolder folder;
  EventWriter writer(folder.path());
  for (int step = 0; step < 20000; ++step) writer.scalar("loss", step, 1.0);
  EXPECT_GT(records_of(writer.path()).size(), 1000u);
}

TEST(EventWriter, TwoInOneSecondHaveFilesOfTheirOwn) {
  const TestFolder folder;
  const EventWriter first(folder.path());
  const EventWriter second(folder.path());
  EXPECT_NE(first.path(), second.path());
}

TEST(EventWriter, AFullDiskIsReportedAndLeavesWholeRecords) {
  const TestFolder folder;
  EventWriter writer(folder.path());
  {
    const TestFileLimit full(std::filesystem::file_size(writer.path()) + 10);
    writer.scalar("lost", 1, 1.0);
    writer.flush();
  }
  EXPECT_NE(writer.failure().find(writer.path().filename().string()), std::string::npos) << writer.failure();
  writer.scalar("kept", 2, 1.0);
  writer.flush();
  const auto records = records_of(writer.path());
  ASSERT_EQ(records.size(), 2u);
  EXPECT_NE(records[1].find("kept"), std::string::npos);
}

TEST(EventWriter, AFolderThatCannotBeMadeIsRefused) {
  const TestFolder folder;
  write_file(folder.path() / "file", std::string_view("x"));
  EXPECT_THROW(EventWriter(folder.path() / "file" / "events"), Error);
}

}  // namespace
}  // namespace nowhere
