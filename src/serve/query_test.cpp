#include "serve/query.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Query, IntegersAreStrict) {
  EXPECT_EQ(strict_integer("0", 0, 5), 0u);
  EXPECT_EQ(strict_integer("18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
  for (const char* wrong : {"", " 1", "1 ", "+1", "-1", "01", "00", "1.0", "0x1", "1e2", "6", "a", "\u0661",
                            "18446744073709551616", "99999999999999999999999"})
    EXPECT_FALSE(strict_integer(wrong, 0, 5)) << wrong;
  EXPECT_FALSE(strict_integer("1", 2, 5));
}

TEST(Query, NumbersAreStrict) {
  EXPECT_EQ(strict_number("0.5", 0, 1), 0.5);
  EXPECT_EQ(strict_number("1", 0, 1), 1.0);
  EXPECT_EQ(strict_number("5e-1", 0, 1), 0.5);
  for (const char* wrong : {"", "-0", "+1", "nan", "inf", "1.5", "0.5x", ".5", " 0.5", "0,5", "1e999"})
    EXPECT_FALSE(strict_number(wrong, 0, 1)) << wrong;
}

TEST(Query, Escapes) {
  EXPECT_EQ(percent_decoded("a%2Cb%2c"), "a,b,");
  EXPECT_EQ(percent_decoded("1+2"), "1+2");
  for (const char* wrong : {"%", "%4", "a%", "%g1", "%1g", "%%"})
    EXPECT_FALSE(percent_decoded(wrong)) << wrong;
}

TEST(Query, NamesAreKnownAndUnique) {
  const std::vector<std::string> known = {"a", "bc"};
  EXPECT_TRUE(parse_query("", known).value().empty());
  EXPECT_EQ(parse_query("a=1&b%63=%3D", known).value(), (Parameters{{"a", "1"}, {"bc", "="}}));
  EXPECT_EQ(parse_query("a=1=2", known).value(), (Parameters{{"a", "1=2"}}));
  for (const char* wrong :
       {"d=1", "A=1", "a", "a=", "=1", "=", "a=1&", "&a=1", "a=1&&bc=2", "a=1&a=1", "a=%", "%=1"})
    EXPECT_FALSE(parse_query(wrong, known)) << wrong;
}

}  // namespace
}  // namespace nowhere
