#include "core/text.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Text, NumbersAndTimesForPeople) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(-1234), "-1,234");
  EXPECT_EQ(with_commas(-123), "-123");
  EXPECT_EQ(counted(0, "photograph"), "0 photographs");
  EXPECT_EQ(counted(1, "photograph"), "1 photograph");
  EXPECT_EQ(counted(1234, "photograph"), "1,234 photographs");
  EXPECT_EQ(counted(1, "city", "cities"), "1 city");
  EXPECT_EQ(counted(2, "city", "cities"), "2 cities");
  EXPECT_EQ(human_bytes(999), "999 bytes");
  EXPECT_EQ(human_bytes(1'500'000), "1.5 MB");
  EXPECT_EQ(human_time(75), "1 min 15 s");
  EXPECT_EQ(human_time(3 * 3600 + 120), "3 h 2 min");
}

TEST(Text, PrintableIsOneLineOfUtf8) {
  EXPECT_EQ(printable_text("größe 日本 🚗"), "größe 日本 🚗");
  EXPECT_EQ(printable_text("a\nb\x7f"), "a\\x0ab\\x7f");
  EXPECT_EQ(printable_text("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable_text("\xc0\x80"), "\\xc0\\x80");           // overlong
  EXPECT_EQ(printable_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable_text("\xe6\x97"), "\\xe6\\x97");           // cut short
  EXPECT_EQ(printable_text(printable_text("\xff")), printable_text("\xff"));
}

TEST(Text, LettersAreNotBytes) {
  EXPECT_EQ(count_letters("größe 日本 🚗"), 10u);
  EXPECT_EQ(count_letters(""), 0u);
  EXPECT_EQ(first_letters("größe 日本", 7), "größe 日");
  EXPECT_EQ(first_letters("größe", 3), "grö");
  EXPECT_EQ(first_letters("größe", 9), "größe");
  EXPECT_EQ(first_letters("größe", 0), "");
}

TEST(Text, ListsSplitAtCommas) {
  EXPECT_EQ(split_list("a, b,,c "), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(split_list("").empty());
  EXPECT_TRUE(split_list(",,").empty());
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
}

TEST(Text, NumbersMustBeWhole) {
  EXPECT_EQ(parse_integer("42"), 42);
  EXPECT_FALSE(parse_integer("42x"));
  EXPECT_FALSE(parse_integer(""));
  EXPECT_FALSE(parse_integer(" 42"));
  EXPECT_FALSE(parse_integer("99999999999999999999"));
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_FALSE(parse_number("nan"));
  EXPECT_FALSE(parse_number("inf"));
}

TEST(Text, NearestNeedsToBeSimilar) {
  const std::vector<std::string> flags = {"--limit", "--city", "--min-move"};
  EXPECT_EQ(nearest("--limt", flags), "--limit");
  EXPECT_EQ(nearest("--minmove", flags), "--min-move");
  EXPECT_FALSE(nearest("--something-else", flags));
}

TEST(Text, TableAlignsColumns) {
  Table table({"city", "images"});
  table.add({"oslo", "7"});
  EXPECT_EQ(table.text(""), "city  images\noslo       7\n");
}

}  // namespace
}  // namespace nowhere
