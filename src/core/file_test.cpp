#include "core/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/test_folder.h"

namespace nowhere {
namespace {

TEST(File, WritesAndReadsBack) {
  const TestFolder folder;
  const auto path = folder.path() / "a b.txt";
  write_file(path, std::string_view("one"), true);
  write_file(path, std::string_view("two"));
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(read_file(path, bytes));
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "two");
  EXPECT_EQ(MappedFile::open(path)->text(), "two");
  // Nothing temporary is left beside it.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(File, SaysWhyItCannot) {
  const TestFolder folder;
  std::vector<uint8_t> bytes;
  const auto missing = read_file(folder.path() / "none", bytes);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().reason.find("no such file"), std::string::npos) << missing.error().reason;
  EXPECT_FALSE(read_file(folder.path(), bytes));
  EXPECT_THROW(write_file(folder.path() / "no" / "folder", std::string_view("x")), Error);
}

TEST(File, APipeIsNotRead) {
  const TestFolder folder;
  const auto pipe = folder.path() / "pipe.jpg";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::vector<uint8_t> bytes;
  EXPECT_FALSE(read_file(pipe, bytes));  // and does not hang
}

TEST(File, NamesArePrintable) {
  EXPECT_EQ(printable(std::filesystem::path("a\nb")), "a\\x0ab");
}

}  // namespace
}  // namespace nowhere
