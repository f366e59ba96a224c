#include "observe/event_record.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

using namespace std::string_literals;

TEST(EventRecord, ChecksumsAreCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(masked_crc32c("123456789"), 0xc78ab0e5u);
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
}

TEST(EventRecord, LengthAndDataAreFramed) {
  const std::string record = frame_record("123456789");
  ASSERT_EQ(record.size(), 8 + 4 + 9 + 4u);
  EXPECT_EQ(record.substr(0, 8), "\x09\0\0\0\0\0\0\0"s);
  EXPECT_EQ(record.substr(12, 9), "123456789");
  EXPECT_EQ(record.substr(21), "\xe5\xb0\x8a\xc7");
}

}  // namespace
}  // namespace nowhere
