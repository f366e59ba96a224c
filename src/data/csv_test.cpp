#include "data/csv.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace nowhere {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> rows(std::string_view text) {
  CsvReader csv(text);
  std::vector<Row> all;
  std::vector<std::string_view> cells;
  while (csv.next(cells)) all.emplace_back(cells.begin(), cells.end());
  return all;
}

TEST(Csv, ReadsRowsAndColumns) {
  CsvReader csv(",key,night\n0,a,True\n1,b,False");
  EXPECT_EQ(csv.column("key"), 1u);
  EXPECT_EQ(csv.column("night"), 2u);
  EXPECT_FALSE(csv.column("view"));
  EXPECT_EQ(rows(",key\n0,a\n1,b\n"), (std::vector<Row>{{"0", "a"}, {"1", "b"}}));
}

TEST(Csv, UnderstandsQuotesAndLineEnds) {
  EXPECT_EQ(rows("h\r\n\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\nx,y,z\r\n"),
            (std::vector<Row>{{"a,b", "say \"hi\"", "two\nlines"}, {"x", "y", "z"}}));
  EXPECT_EQ(rows("\xef\xbb\xbfh\nx\n\n\ny"), (std::vector<Row>{{"x"}, {"y"}}));
  EXPECT_TRUE(rows("").empty());
  EXPECT_TRUE(rows("only a heading").empty());
  EXPECT_EQ(rows("h\n\"never closed"), (std::vector<Row>{{"never closed"}}));
}

TEST(Csv, WhatIsWrittenIsReadBack) {
  const Row cells = {"plain", "with, comma", "with \"quotes\"", "two\nlines", "größe"};
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  EXPECT_EQ(rows("h\n" + line + "\n"), std::vector<Row>{cells});
}

// Any bytes end, and no cell reaches outside them (the sanitizers watch).
TEST(Csv, AnyBytesAreReadToTheEnd) {
  Random random(1, Purpose::kSynth);
  constexpr std::string_view kAlphabet = "ab,\"\n\r,\"";
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (uint64_t size = random.below(40); size > 0; --size)
      text += kAlphabet[random.below(kAlphabet.size())];
    size_t bytes = 0;
    for (const Row& row : rows(text))
      for (const std::string& cell : row) bytes += cell.size();
    EXPECT_LE(bytes, text.size());
  }
}

}  // namespace
}  // namespace nowhere
