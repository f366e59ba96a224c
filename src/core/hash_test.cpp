#include "core/hash.h"

#include <gtest/gtest.h>

#include <vector>

namespace nowhere {
namespace {

std::vector<uint8_t> bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

TEST(SetDigest, DoesNotDependOnOrder) {
  SetDigest forwards, backwards, other;
  for (const char* item : {"a", "b", "c"}) forwards.add(bytes(item));
  for (const char* item : {"c", "b", "a"}) backwards.add(bytes(item));
  for (const char* item : {"a", "b", "d"}) other.add(bytes(item));
  EXPECT_EQ(forwards, backwards);
  EXPECT_NE(forwards, other);
  EXPECT_EQ(forwards.hex().size(), 32u);
}

TEST(Hash, SeedAndTextMatter) {
  EXPECT_NE(hash64("a"), hash64("b"));
  EXPECT_NE(hash64("a", 1), hash64("a", 2));
  EXPECT_EQ(hash64("abc"), hash64(bytes("abc")));
}

}  // namespace
}  // namespace nowhere
