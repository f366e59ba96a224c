// 1 x 1 convolutions, and others that are sums of few of them, as products of rows of channels with a matrix.
// What comes behind a convolution is done while the numbers are in registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nowhere {

// Maps lie place by place, the channels of a place together and filled up with zeros to whole groups of 16: a
// row is whole vectors, whatever the instruction set.
constexpr int64_t kChannelGroup = 16;
constexpr int64_t padded_channels(int64_t channels) {
  return (channels + kChannelGroup - 1) / kChannelGroup * kChannelGroup;
}

// For one place: where ReLU6 lets no gradient through, a bit a channel, in bytes. Depends on the processor.
int64_t relu6_bytes(int64_t channels);
// Reading the last bits may touch so many bytes behind them.
constexpr int64_t kSpareBitBytes = 8;

std::vector<float> padded_row(std::span<const float> row);

// What is done with a result, in this order.
struct ChannelFinish {
  const float* bias = nullptr;   // [padded columns]; null: 0
  const float* added = nullptr;  // [rows, padded columns], or null
  bool relu6 = false;
  uint8_t* blocked = nullptr;           // [rows, relu6_bytes], written with ReLU6; null: nobody asks
  const uint8_t* blocked_by = nullptr;  // the same of an earlier pass: ReLU6's gradient
};

// Rows at equal distances. Each is multiplied with one matrix, or with several at an offset each.
struct ChannelRows {
  const float* first = nullptr;
  int64_t stride = 0, count = 0;
};

// Matrices [depth, columns], one for each offset, laid out for this processor.
class ChannelMatrix {
 public:
  // `numbers` [offsets, depth, columns]
  ChannelMatrix(std::span<const float> numbers, int64_t depth, int64_t columns,
                std::vector<int64_t> offsets = {0});

  // out [rows, padded columns] = finish(the sum over offsets of the row at that offset times its matrix). A
  // number is one chain of sums, over offsets and then over depth, so its bits do not depend on what else is
  // computed with it.
  void multiply(const ChannelRows& rows, const ChannelFinish& finish, float* out) const;

 private:
  std::vector<int64_t> offsets_;
  int64_t depth_, padded_;
  std::vector<float> numbers_;  // panels of a few vectors: [offsets, depth, width] each
};

}  // namespace nowhere
