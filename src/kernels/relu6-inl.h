// ReLU6 and its gradient on one vector, for kernels that Highway compiles once per instruction set; hence no
// `#pragma once`, but a guard that opens again for each of them.
#if defined(NOWHERE_KERNELS_RELU6_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef NOWHERE_KERNELS_RELU6_INL_H_
#undef NOWHERE_KERNELS_RELU6_INL_H_
#else
#define NOWHERE_KERNELS_RELU6_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// No more than 16 lanes, so that rows of whole groups of 16 channels are whole vectors.
using ChannelLanes = hn::CappedTag<float, 16>;
constexpr int kChannelLanes = hn::MaxLanes(ChannelLanes());
constexpr int kBitBytes = kChannelLanes < 8 ? 1 : kChannelLanes / 8;  // of one vector's bits

// Where ReLU6 lets no gradient through is noted as one bit a number. NaN stays NaN and lets it through, as in
// LibTorch.
template <class V>
HWY_INLINE V Relu6(V x, uint8_t* blocked) {
  const ChannelLanes d;
  const auto six = hn::Set(d, 6.0f);
  const auto low = hn::Le(x, hn::Zero(d)), high = hn::Ge(x, six);
  if (blocked != nullptr) hn::StoreMaskBits(d, hn::Or(low, high), blocked);
  return hn::IfThenElse(high, six, hn::IfThenZeroElse(low, x));
}

template <class V>
HWY_INLINE V Relu6Gradient(V gradient, const uint8_t* blocked) {
  return hn::IfThenZeroElse(hn::LoadMaskBits(ChannelLanes(), blocked), gradient);
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
