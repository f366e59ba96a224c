#include "observe/append_file.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/test_file_limit.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

std::string text_of(const std::filesystem::path& path) {
  return std::string(MappedFile::open(path).value().text());
}

TEST(AppendFile, AppendsToAnExistingFile) {
  const TestFolder folder;
  const auto path = folder.path() / "log";
  write_file(path, std::string_view("one "));
  auto file = AppendFile::open(path, AppendFile::Open::kNewOrExisting).value();
  EXPECT_TRUE(file.append("two "));
  AppendFile moved = std::move(file);
  EXPECT_TRUE(moved.append("three"));
  EXPECT_EQ(text_of(path), "one two three");
  EXPECT_EQ(moved.failure(), "");
}

TEST(AppendFile, ANewFileReplacesNothing) {
  const TestFolder folder;
  const auto path = folder.path() / "log";
  ASSERT_TRUE(AppendFile::open(path, AppendFile::Open::kNew));
  const auto second = AppendFile::open(path, AppendFile::Open::kNew);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().reason.find("file exists"), std::string::npos) << second.error().reason;
}

TEST(AppendFile, AFullDiskLosesTheEntryButNotTheFile) {
  const TestFolder folder;
  const auto path = folder.path() / "log";
  auto file = AppendFile::open(path, AppendFile::Open::kNew).value();
  {
    const TestFileLimit full(10);
    EXPECT_TRUE(file.append("12345678"));
    EXPECT_FALSE(file.append("does not fit"));
    EXPECT_EQ(text_of(path), "12345678");
  }
  EXPECT_NE(file.failure().find("file too large"), std::string::npos) << file.failure();
  EXPECT_TRUE(file.append("9"));  // there is room again
  EXPECT_EQ(text_of(path), "123456789");
  EXPECT_NE(file.failure(), "");
}

}  // namespace
}  // namespace nowhere
