#include "kernels/channel_product.h"

#include <algorithm>

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/channel_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/relu6-inl.h"

namespace nowhere {
#ifndef NOWHERE_CHANNEL_PANELS
#define NOWHERE_CHANNEL_PANELS

// A panel is up to so many vectors wide; all panels of a matrix are about equally wide.
constexpr int64_t kMostParts = 3;

struct ChannelPanels {
  int64_t vectors, count = (vectors + kMostParts - 1) / kMostParts;

  int64_t begin(int64_t panel) const { return vectors * panel / count; }
};

struct ChannelProduct {
  std::span<const int64_t> offsets;
  int64_t depth, padded;
  const float* numbers;
  ChannelRows rows;
  ChannelFinish finish;
  float* out;
};

#endif
}  // namespace nowhere

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

// As many as the registers (16, with AVX-512 32) can hold along with a row of the panel and a number.
constexpr int kTileRows = kChannelLanes >= 16 ? 8 : 4;

// Rows from `row` on, vectors from `vector` on.
template <int kRows, int kParts>
void MakeTile(const ChannelProduct& product, int64_t row, int64_t vector) {
  const ChannelLanes d;
  const int64_t begin = vector * kChannelLanes, stride = product.rows.stride;
  const ChannelFinish& finish = product.finish;
  hn::Vec<ChannelLanes> sums[kRows][kParts];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p)
      sums[r][p] =
          finish.bias != nullptr ? hn::LoadU(d, finish.bias + begin + p * kChannelLanes) : hn::Zero(d);

  const float* panel = product.numbers + begin * product.depth * static_cast<int64_t>(product.offsets.size());
  for (const int64_t offset : product.offsets) {
    const float* left = product.rows.first + row * stride + offset;
    for (int64_t k = 0; k < product.depth; ++k, panel += kParts * kChannelLanes) {
      hn::Vec<ChannelLanes> right[kParts];
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) right[p] = hn::LoadU(d, panel + p * kChannelLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const auto number = hn::Set(d, left[r * stride + k]);
#pragma GCC unroll 4
        for (int p = 0; p < kParts; ++p) sums[r][p] = hn::MulAdd(number, right[p], sums[r][p]);
      }
    }
  }

  if (finish.added != nullptr)
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p)
        sums[r][p] = hn::Add(
            sums[r][p], hn::LoadU(d, finish.added + (row + r) * product.padded + begin + p * kChannelLanes));
  const int64_t bytes = product.padded / kChannelLanes * kBitBytes;
  if (finish.relu6)
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p)
        sums[r][p] = Relu6(sums[r][p], finish.blocked != nullptr
                                           ? finish.blocked + (row + r) * bytes + (vector + p) * kBitBytes
                                           : nullptr);
  if (finish.blocked_by != nullptr)
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p)
        sums[r][p] =
            Relu6Gradient(sums[r][p], finish.blocked_by + (row + r) * bytes + (vector + p) * kBitBytes);
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p)
      hn::StoreU(sums[r][p], d, product.out + (row + r) * product.padded + begin + p * kChannelLanes);
}

template <int kParts>
void MakePanel(const ChannelProduct& product, int64_t vector) {
  const int64_t count = product.rows.count;
  int64_t row = 0;
  for (; row + kTileRows <= count; row += kTileRows) MakeTile<kTileRows, kParts>(product, row, vector);
  // The last rows are made together with some that are there already, which become the same again.
  if (row < count && count >= kTileRows)
    return MakeTile<kTileRows, kParts>(product, count - kTileRows, vector);
  for (; row < count; ++row) MakeTile<1, kParts>(product, row, vector);
}

void Multiply(const ChannelProduct& product) {
  const ChannelPanels panels{product.padded / kChannelLanes};
  for (int64_t i = 0; i < panels.count; ++i) {
    const int64_t begin = panels.begin(i), parts = panels.begin(i + 1) - begin;
    if (parts == 3)
      MakePanel<3>(product, begin);
    else if (parts == 2)
      MakePanel<2>(product, begin);
    else
      MakePanel<1>(product, begin);
  }
}

int64_t VectorLanes() {
  return kChannelLanes;
}

int64_t VectorBitBytes() {
  return kBitBytes;
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {

HWY_EXPORT(Multiply);
HWY_EXPORT(VectorLanes);
HWY_EXPORT(VectorBitBytes);

int64_t relu6_bytes(int64_t channels) {
  return padded_channels(channels) / HWY_DYNAMIC_DISPATCH(VectorLanes)() *
         HWY_DYNAMIC_DISPATCH(VectorBitBytes)();
}

std::vector<float> padded_row(std::span<const float> row) {
  std::vector<float> padded(row.begin(), row.end());
  padded.resize(static_cast<size_t>(padded_channels(static_cast<int64_t>(row.size()))));
  return padded;
}

ChannelMatrix::ChannelMatrix(std::span<const float> numbers, int64_t depth, int64_t columns,
                             std::vector<int64_t> offsets)
    : offsets_(std::move(offsets)), depth_(depth), padded_(padded_channels(columns)) {
  const int64_t lanes = HWY_DYNAMIC_DISPATCH(VectorLanes)();
  const int64_t rows = depth_ * static_cast<int64_t>(offsets_.size());
  numbers_.resize(static_cast<size_t>(rows * padded_));
  const ChannelPanels panels{padded_ / lanes};
  float* to = numbers_.data();
  for (int64_t i = 0; i < panels.count; ++i) {
    const int64_t begin = panels.begin(i) * lanes, end = panels.begin(i + 1) * lanes;
    for (int64_t row = 0; row < rows; ++row, to += end - begin)
      if (begin < columns)
        std::copy(numbers.data() + row * columns + begin,
                  numbers.data() + row * columns + std::min(end, columns), to);
  }
}

void ChannelMatrix::multiply(const ChannelRows& rows, const ChannelFinish& finish, float* out) const {
  HWY_DYNAMIC_DISPATCH(Multiply)({offsets_, depth_, padded_, numbers_.data(), rows, finish, out});
}

}  // namespace nowhere
#endif
