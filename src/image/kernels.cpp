#include "image/kernels.h"

#include <algorithm>
#include <cstring>

// Highway compiles this file once for each instruction set; it requires these includes in this order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "image/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A multiply and an add, never fused: every CPU gives the same bits, so that packs made on different machines
// agree.
template <class V>
HWY_INLINE V weigh(V weight, V value, V sum) {
  return hn::Add(hn::Mul(weight, value), sum);
}

template <class D>
HWY_INLINE hn::Vec<D> load_bytes(D floats, const uint8_t* from) {
  const hn::Rebind<uint8_t, D> bytes;
  const hn::Rebind<int32_t, D> ints;
  return hn::ConvertTo(floats, hn::PromoteTo(ints, hn::LoadU(bytes, from)));
}

void WeighRows(const uint8_t* source, size_t stride, const float* weights, int taps, size_t count,
               float* line) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  // Four sums at a time hide the latency of the multiply-adds.
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
    for (int k = 0; k < taps; ++k) {
      const uint8_t* row = source + static_cast<size_t>(k) * stride + i;
      const auto weight = hn::Set(d, weights[k]);
      sum0 = weigh(weight, load_bytes(d, row), sum0);
      sum1 = weigh(weight, load_bytes(d, row + lanes), sum1);
      sum2 = weigh(weight, load_bytes(d, row + 2 * lanes), sum2);
      sum3 = weigh(weight, load_bytes(d, row + 3 * lanes), sum3);
    }
    hn::StoreU(sum0, d, line + i);
    hn::StoreU(sum1, d, line + i + lanes);
    hn::StoreU(sum2, d, line + i + 2 * lanes);
    hn::StoreU(sum3, d, line + i + 3 * lanes);
  }
  for (; i + lanes <= count; i += lanes) {
    auto sum = hn::Zero(d);
    for (int k = 0; k < taps; ++k)
      sum = weigh(hn::Set(d, weights[k]), load_bytes(d, source + static_cast<size_t>(k) * stride + i), sum);
    hn::StoreU(sum, d, line + i);
  }
  for (; i < count; ++i) {
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      sum += weights[k] * static_cast<float>(source[static_cast<size_t>(k) * stride + i]);
    line[i] = sum;
  }
}

#if HWY_TARGET == HWY_SCALAR

// Without vectors of four floats: one channel at a time.
void WeighPixels(const float* line, const int* first, const float* weights, int taps, int width, float* out) {
  for (int i = 0; i < width * 3; ++i) {
    const float* from = line + static_cast<size_t>(first[i / 3]) * 3 + i % 3;
    const float* weight = weights + static_cast<size_t>(i / 3) * static_cast<size_t>(taps);
    float sum[2] = {0, 0};
    for (int k = 0; k < taps; ++k) sum[k % 2] += weight[k] * from[3 * k];
    out[i] = sum[0] + sum[1];
  }
}

void MirrorRow(const uint8_t* row, int width, uint8_t* out) {
  for (int x = 0; x < width; ++x) std::memcpy(out + (width - 1 - x) * 3, row + x * 3, 3);
}

#else

void WeighPixels(const float* line, const int* first, const float* weights, int taps, int width, float* out) {
  // Four lanes hold one pixel and the red of its neighbour, which the store of the next pixel overwrites.
  const hn::FixedTag<float, 4> d;
  for (int x = 0; x < width; ++x) {
    const float* from = line + static_cast<size_t>(first[x]) * 3;
    const float* weight = weights + static_cast<size_t>(x) * static_cast<size_t>(taps);
    auto even = hn::Zero(d), odd = hn::Zero(d);
    int k = 0;
    for (; k + 1 < taps; k += 2) {
      even = weigh(hn::Set(d, weight[k]), hn::LoadU(d, from + 3 * k), even);
      odd = weigh(hn::Set(d, weight[k + 1]), hn::LoadU(d, from + 3 * k + 3), odd);
    }
    if (k < taps) even = weigh(hn::Set(d, weight[k]), hn::LoadU(d, from + 3 * k), even);
    hn::StoreU(hn::Add(even, odd), d, out + static_cast<size_t>(x) * 3);
  }
}

void MirrorRow(const uint8_t* row, int width, uint8_t* out) {
  constexpr int kLanes = 16;
  const hn::FixedTag<uint8_t, kLanes> d;
  const auto backwards = hn::Sub(hn::Set(d, uint8_t{kLanes - 1}), hn::Iota(d, 0));
  int x = 0;
  for (; x + kLanes <= width; x += kLanes) {
    hn::Vec<decltype(d)> red, green, blue;
    hn::LoadInterleaved3(d, row + static_cast<size_t>(x) * 3, red, green, blue);
    hn::StoreInterleaved3(hn::TableLookupBytes(red, backwards), hn::TableLookupBytes(green, backwards),
                          hn::TableLookupBytes(blue, backwards), d,
                          out + static_cast<size_t>(width - x - kLanes) * 3);
  }
  for (; x < width; ++x)
    std::memcpy(out + static_cast<size_t>(width - 1 - x) * 3, row + static_cast<size_t>(x) * 3, 3);
}

#endif

void RoundToBytes(const float* values, size_t count, uint8_t* out) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<int32_t, decltype(d)> ints;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const size_t lanes = hn::Lanes(d);
  const auto half = hn::Set(d, 0.5f), max = hn::Set(d, 255.0f);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto clamped = hn::Min(hn::Max(hn::LoadU(d, values + i), hn::Zero(d)), max);
    hn::StoreU(hn::DemoteTo(bytes, hn::ConvertTo(ints, hn::Add(clamped, half))), bytes, out + i);
  }
  for (; i < count; ++i) out[i] = static_cast<uint8_t>(std::clamp(values[i], 0.0f, 255.0f) + 0.5f);
}

void BytesToSignedUnit(const uint8_t* bytes, size_t count, float* out) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  constexpr float kScale = 1.0f / 127.5f;
  const auto scale = hn::Set(d, kScale);
  const auto shift = hn::Set(d, -1.0f);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Add(hn::Mul(load_bytes(d, bytes + i), scale), shift), d, out + i);
  for (; i < count; ++i) out[i] = static_cast<float>(bytes[i]) * kScale - 1.0f;
}

}  // namespace nowhere::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere::kernels {

HWY_EXPORT(WeighRows);
HWY_EXPORT(WeighPixels);
HWY_EXPORT(RoundToBytes);
HWY_EXPORT(MirrorRow);
HWY_EXPORT(BytesToSignedUnit);

void weigh_rows(const uint8_t* source, size_t stride, const float* weights, int taps, size_t count,
                float* line) {
  HWY_DYNAMIC_DISPATCH(WeighRows)(source, stride, weights, taps, count, line);
}

void weigh_pixels(const float* line, const int* first, const float* weights, int taps, int width,
                  float* out) {
  HWY_DYNAMIC_DISPATCH(WeighPixels)(line, first, weights, taps, width, out);
}

void round_to_bytes(const float* values, size_t count, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(RoundToBytes)(values, count, out);
}

void mirror_row(const uint8_t* row, int width, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(MirrorRow)(row, width, out);
}

void bytes_to_signed_unit(const uint8_t* bytes, size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(BytesToSignedUnit)(bytes, count, out);
}

}  // namespace nowhere::kernels
#endif
