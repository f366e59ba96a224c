#include "kernels/tile.h"

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<float>;
constexpr int kLanes = hn::MaxLanes(Lanes());

// Sums of kRows rows and kParts vectors: as many as the registers (16, with AVX-512 32) can hold along with
// one row of the panel and a number.
template <int kRows, int kParts>
void MakeTile(std::span<const TileTap> taps, int64_t stride, int64_t depth, const float* bias, float floor,
              float* tile) {
  // Rows of the panel are fetched so many rows before they are needed. At the end this is memory behind the
  // panel, which is fetched in vain but never read.
  constexpr int kAhead = 4;
  const Lanes d;
  hn::Vec<Lanes> sums[kRows][kParts];
#pragma GCC unroll 8
  for (auto& row : sums)
#pragma GCC unroll 4
    for (int part = 0; part < kParts; ++part) row[part] = hn::LoadU(d, bias + part * kLanes);
  for (const TileTap& tap : taps) {
    const float* panel = tap.panel;
    for (int64_t k = 0; k < depth; ++k, panel += kParts * kLanes) {
      hn::Vec<Lanes> right[kParts];
#pragma GCC unroll 4
      for (int part = 0; part < kParts; ++part) {
        right[part] = hn::LoadU(d, panel + part * kLanes);
        __builtin_prefetch(panel + (kAhead * kParts + part) * kLanes);
      }
#pragma GCC unroll 8
      for (int row = 0; row < kRows; ++row) {
        const auto left = hn::Set(d, tap.rows[row * stride + k]);
#pragma GCC unroll 4
        for (int part = 0; part < kParts; ++part)
          sums[row][part] = hn::MulAdd(left, right[part], sums[row][part]);
      }
    }
  }
  const auto least = hn::Set(d, floor);
#pragma GCC unroll 8
  for (const auto& row : sums)
#pragma GCC unroll 4
    for (int part = 0; part < kParts; ++part, tile += kLanes) hn::StoreU(hn::Max(row[part], least), d, tile);
}

template <int kRows, int kParts>
TileKernel KernelOf() {
  static_assert(kRows * kParts * kLanes <= kMaxTileNumbers);
  return {kRows, kParts * kLanes, MakeTile<kRows, kParts>};
}

int64_t RoundedUp(int64_t columns, int64_t width) {
  return (columns + width - 1) / width * width;
}

TileKernel Kernel(int64_t columns) {
  if constexpr (kLanes < 16) {
    return KernelOf<6, 2>();
  } else {
    const TileKernel wide = KernelOf<6, 4>(), narrow = KernelOf<8, 3>();
    return RoundedUp(columns, narrow.columns) < RoundedUp(columns, wide.columns) ? narrow : wide;
  }
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {

HWY_EXPORT(Kernel);

TileKernel tile_kernel(int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(Kernel)(columns);
}

}  // namespace nowhere
#endif
