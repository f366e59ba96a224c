#include "core/atomic_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/test_file_limit.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path().filename().string());
  return found;
}

std::string text_of(const fs::path& path) {
  return std::string(MappedFile::open(path).value().text());
}

bool write(AtomicFile& file, std::string_view text) {
  return file.write(text.data(), text.size());
}

TEST(AtomicFile, AppearsWhenItIsCommitted) {
  for (const bool durable : {false, true}) {
    const TestFolder folder;
    const fs::path path = folder.path() / "checkpoint.pt";
    write_file(path, std::string_view("old"));
    {
      AtomicFile file(path);
      EXPECT_TRUE(write(file, "new text"));
      EXPECT_EQ(file.tell(), 8);
      EXPECT_TRUE(file.seek(4, SEEK_SET));
      EXPECT_TRUE(write(file, "file"));
      EXPECT_EQ(text_of(path), "old");
      file.commit(durable);
      EXPECT_EQ(text_of(path), "new file");
    }
    EXPECT_EQ(names(folder.path()), std::vector<std::string>{"checkpoint.pt"});
  }
}

TEST(AtomicFile, LeavesNothingBehindWhenItIsNotCommitted) {
  const TestFolder folder;
  {
    AtomicFile file(folder.path() / "checkpoint.pt");
    write(file, "half");
    ASSERT_EQ(names(folder.path()).size(), 1u);
    // What removes the leftovers of killed processes looks for this.
    EXPECT_TRUE(std::regex_match(names(folder.path())[0], std::regex(R"(checkpoint\.pt\.\d+\.tmp)")));
  }
  EXPECT_TRUE(names(folder.path()).empty());
}

TEST(AtomicFile, AFailedWriteIsReportedByCommit) {
  const TestFolder folder;
  const fs::path path = folder.path() / "file";
  write_file(path, std::string_view("old"));
  {
    const TestFileLimit full(1000);
    AtomicFile file(path);
    const std::string large(5 << 20, 'x');
    EXPECT_FALSE(write(file, large));
    EXPECT_EQ(file.error(), EFBIG);
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(names(folder.path()).size(), 1u);
}

TEST(AtomicFile, AFolderThatIsMissingIsRefused) {
  const TestFolder folder;
  EXPECT_THROW(AtomicFile(folder.path() / "none" / "file"), Error);
}

TEST(AtomicFile, ALeftoverIsNeitherReusedNorInTheWay) {
  const TestFolder folder;
  const fs::path path = folder.path() / "file";
  std::string used;
  {
    const AtomicFile probe(path);
    used = names(folder.path())[0];  // "file.<digits>.tmp"
  }
  const auto number = std::stoull(used.substr(5, used.size() - 9));
  const fs::path leftover = folder.path() / fmt::format("file.{}.tmp", number + 1);  // the next writer's name
  std::ofstream(leftover) << "leftover";
  write_file(path, std::string_view("text"));
  EXPECT_EQ(text_of(path), "text");
  EXPECT_EQ(text_of(leftover), "leftover");
}

TEST(AtomicFile, WritersOfOnePathDoNotDisturbEachOther) {
  const TestFolder folder;
  const fs::path path = folder.path() / "scores.json";
  {
    std::vector<std::jthread> writers;
    for (const char letter : {'a', 'b', 'c', 'd'})
      writers.emplace_back([&path, letter] {
        for (int round = 0; round < 50; ++round) write_file(path, std::string(100'000, letter));
      });
  }
  const std::string text = text_of(path);
  EXPECT_EQ(text, std::string(100'000, text[0]));
  EXPECT_EQ(names(folder.path()), std::vector<std::string>{"scores.json"});
}

}  // namespace
}  // namespace nowhere
