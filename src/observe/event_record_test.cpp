#include "observe/event_record.h"

#include <gtest/gtest.h>

#include <array>

#include "observe/proto.h"

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

// The encoding's own examples, from its documentation.
TEST(Proto, FieldsAreEncodedAsDocumented) {
  EXPECT_EQ(ProtoMessage().integer(1, 150).data(), "\x08\x96\x01");
  EXPECT_EQ(ProtoMessage().bytes(2, "testing").data(), "\x12\x07testing");
  EXPECT_EQ(ProtoMessage().message(3, ProtoMessage().integer(1, 150)).data(), "\x1a\x03\x08\x96\x01");
}

TEST(Proto, NumbersAreLittleEndian) {
  EXPECT_EQ(ProtoMessage().number(1, 1.0).data(), "\x09\0\0\0\0\0\0\xf0\x3f"s);
  EXPECT_EQ(ProtoMessage().single(2, 1.0f).data(), "\x15\0\0\x80\x3f"s);
  EXPECT_EQ(ProtoMessage().numbers(6, std::array{0.0, 1.0}).data(),
            "\x32\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f"s);
}

TEST(Proto, LargeAndNegativeIntegers) {
  EXPECT_EQ(ProtoMessage().integer(2, -1).data(), "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  EXPECT_EQ(ProtoMessage().integer(2, 127).data(), "\x10\x7f");
  EXPECT_EQ(ProtoMessage().integer(2, 128).data(), "\x10\x80\x01");
}

}  // namespace
}  // namespace nowhere
