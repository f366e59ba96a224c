#include "core/proto.h"

#include <bit>

#include "core/little_endian.h"

namespace nowhere {
namespace {

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

}  // namespace

ProtoMessage& ProtoMessage::integer(uint32_t field, int64_t value) {
  key(field, kVarint);
  varint(static_cast<uint64_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::number(uint32_t field, double value) {
  key(field, kFixed64);
  append_little_endian(data_, std::bit_cast<uint64_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::single(uint32_t field, float value) {
  key(field, kFixed32);
  append_little_endian(data_, std::bit_cast<uint32_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::bytes(uint32_t field, std::string_view value) {
  field_header(field, value.size());
  data_ += value;
  return *this;
}

ProtoMessage& ProtoMessage::field_header(uint32_t field, size_t size) {
  key(field, kLengthDelimited);
  varint(size);
  return *this;
}

ProtoMessage& ProtoMessage::numbers(uint32_t field, std::span<const double> values) {
  field_header(field, values.size() * sizeof(double));
  for (const double value : values) append_little_endian(data_, std::bit_cast<uint64_t>(value));
  return *this;
}

void ProtoMessage::key(uint32_t field, uint32_t wire_type) {
  varint(field << 3 | wire_type);
}

// Seven bits in each byte, lowest first; the top bit says that more follow.
void ProtoMessage::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) data_ += static_cast<char>(value | 0x80);
  data_ += static_cast<char>(value);
}

}  // namespace nowhere
