#include "latent/seeds.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

using Seeds = std::vector<uint64_t>;

TEST(Seeds, ListsAndRanges) {
  EXPECT_EQ(parse_seeds("0-3,40", 64), (Seeds{0, 1, 2, 3, 40}));
  EXPECT_EQ(parse_seeds("7", 1), Seeds{7});
  EXPECT_EQ(parse_seeds("18446744073709551614-18446744073709551615", 2), (Seeds{UINT64_MAX - 1, UINT64_MAX}));
}

TEST(Seeds, MalformedListsAreRefused) {
  for (const char* wrong : {"", ",", "1,", ",1", "1,,2", "1, 2", "1;2", "-1", "+1", "1-", "5-2", " 1", "1.5",
                            "a", "01", "0x1", "18446744073709551616", "1-2-3"})
    EXPECT_FALSE(parse_seeds(wrong, 64)) << wrong;
}

TEST(Seeds, TooLongAListIsRefusedBeforeItIsExpanded) {
  EXPECT_TRUE(parse_seeds("1-64", 64));
  EXPECT_FALSE(parse_seeds("1-65", 64));
  EXPECT_FALSE(parse_seeds("0-18446744073709551615", 64));
  EXPECT_FALSE(parse_seeds("1-64,1", 64));
}

}  // namespace
}  // namespace nowhere
