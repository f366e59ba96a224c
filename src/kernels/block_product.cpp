#include "kernels/block_product.h"

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kBlockLanes>;
constexpr int kLanes = hn::MaxLanes(Lanes());

// As many sums as the registers (16, with AVX-512 32) can hold along with one row of the right block.
constexpr int kRows = 6, kParts = kLanes >= 16 ? 4 : 2;

// The strides that are 1 are known to the compiler.
template <bool kDepthIsDense>
const float* At(const LeftBlock& left, int64_t row, int64_t k) {
  return kDepthIsDense ? left.first + row * left.row_stride + k : left.first + row + k * left.depth_stride;
}

// sums [kRowCount, kPartCount vectors], at `stride`.
template <bool kDepthIsDense, int kRowCount, int kPartCount>
void Micro(const LeftBlock& left, const float* HWY_RESTRICT right, int64_t depth, int64_t stride, bool add,
           float* HWY_RESTRICT sums) {
  const Lanes d;
  hn::Vec<Lanes> total[kRowCount][kPartCount];
#pragma GCC unroll 8
  for (int row = 0; row < kRowCount; ++row)
#pragma GCC unroll 4
    for (int part = 0; part < kPartCount; ++part)
      total[row][part] = add ? hn::LoadU(d, sums + row * stride + part * kLanes) : hn::Zero(d);
  for (int64_t k = 0; k < depth; ++k, right += stride) {
    hn::Vec<Lanes> factor[kPartCount];
#pragma GCC unroll 4
    for (int part = 0; part < kPartCount; ++part) factor[part] = hn::LoadU(d, right + part * kLanes);
#pragma GCC unroll 8
    for (int row = 0; row < kRowCount; ++row) {
      const auto number = hn::Set(d, *At<kDepthIsDense>(left, row, k));
#pragma GCC unroll 4
      for (int part = 0; part < kPartCount; ++part)
        total[row][part] = hn::MulAdd(number, factor[part], total[row][part]);
    }
  }
#pragma GCC unroll 8
  for (int row = 0; row < kRowCount; ++row)
#pragma GCC unroll 4
    for (int part = 0; part < kPartCount; ++part)
      hn::StoreU(total[row][part], d, sums + row * stride + part * kLanes);
}

template <bool kDepthIsDense, int kPartCount, int kRowCount = kRows>
void Rows(const LeftBlock& left, const float* right, const BlockShape& shape, bool add, float* sums) {
  int64_t row = 0;
  for (; row + kRowCount <= shape.rows; row += kRowCount) {
    LeftBlock from = left;
    from.first = At<kDepthIsDense>(left, row, 0);
    Micro<kDepthIsDense, kRowCount, kPartCount>(from, right, shape.depth, shape.columns, add,
                                                sums + row * shape.columns);
  }
  if constexpr (kRowCount > 1) {
    if (row == shape.rows) return;
    LeftBlock rest = left;
    rest.first = At<kDepthIsDense>(left, row, 0);
    Rows<kDepthIsDense, kPartCount, kRowCount - 1>(
        rest, right, {shape.rows - row, shape.depth, shape.columns}, add, sums + row * shape.columns);
  }
}

template <bool kDepthIsDense>
void Columns(const LeftBlock& left, const float* right, const BlockShape& shape, bool add, float* sums) {
  int64_t column = 0;
  for (; column + kParts * kLanes <= shape.columns; column += kParts * kLanes)
    Rows<kDepthIsDense, kParts>(left, right + column, shape, add, sums + column);
  if constexpr (kParts > 3)
    for (; column + 3 * kLanes <= shape.columns; column += 3 * kLanes)
      Rows<kDepthIsDense, 3>(left, right + column, shape, add, sums + column);
  for (; column + 2 * kLanes <= shape.columns; column += 2 * kLanes)
    Rows<kDepthIsDense, 2>(left, right + column, shape, add, sums + column);
  for (; column < shape.columns; column += kLanes)
    Rows<kDepthIsDense, 1>(left, right + column, shape, add, sums + column);
}

void MultiplyBlock(const LeftBlock& left, const float* right, const BlockShape& shape, bool add,
                   float* sums) {
  if (left.depth_stride == 1)
    Columns<true>(left, right, shape, add, sums);
  else
    Columns<false>(left, right, shape, add, sums);
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {

HWY_EXPORT(MultiplyBlock);

void multiply_block(const LeftBlock& left, const float* right, const BlockShape& shape, bool add,
                    float* sums) {
  HWY_DYNAMIC_DISPATCH(MultiplyBlock)(left, right, shape, add, sums);
}

}  // namespace nowhere
#endif
