#include "core/proto.h"

#include <gtest/gtest.h>

#include <array>

namespace nowhere {
namespace {

using namespace std::string_literals;

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

TEST(Proto, TheBytesOfAFieldMayFollowTheMessage) {
  const std::string large(300, 'x');
  EXPECT_EQ(ProtoMessage().field_header(9, large.size()).data() + large,
            ProtoMessage().bytes(9, large).data());
}

}  // namespace
}  // namespace nowhere
