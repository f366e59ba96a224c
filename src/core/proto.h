// The part of the wire format of protocol buffers that TensorBoard's event files and ONNX need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nowhere {

// A message under construction: fields appear in the order of the calls. Encoded here because LibTorch
// carries a protobuf library of its own, and a second one in the same process clashes with it.
class ProtoMessage {
 public:
  ProtoMessage& integer(uint32_t field, int64_t value);
  ProtoMessage& number(uint32_t field, double value);
  ProtoMessage& single(uint32_t field, float value);
  ProtoMessage& bytes(uint32_t field, std::string_view value);
  ProtoMessage& message(uint32_t field, const ProtoMessage& value) { return bytes(field, value.data_); }
  // Only the key and the length of a field of `size` bytes, which the caller writes after this message:
  // avoids a copy.
  ProtoMessage& field_header(uint32_t field, size_t size);
  ProtoMessage& numbers(uint32_t field, std::span<const double> values);  // packed

  const std::string& data() const { return data_; }

 private:
  void key(uint32_t field, uint32_t wire_type);
  void varint(uint64_t value);

  std::string data_;
};

}  // namespace nowhere
