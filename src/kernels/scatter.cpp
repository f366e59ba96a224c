#include "kernels/scatter.h"

#include <span>

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scatter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Every second place of a line of the large map: out = bias + parts[0] + parts[1] + ..., always added in this
// order, so that every instruction set gives the same bits. The parts of neighbouring places are
// `part_stride` apart.
template <int kParts>
void SumPlaces(const float* const* parts, int64_t part_stride, int64_t places, int64_t channels,
               const float* bias, float* out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t place = 0; place < places; ++place) {
    float* to = out + place * 2 * channels;
    const float* from[kParts];
    for (int part = 0; part < kParts; ++part) from[part] = parts[part] + place * part_stride;
    int64_t c = 0;
    for (; c + lanes <= channels; c += lanes) {
      auto sum = hn::LoadU(d, bias + c);
      for (int part = 0; part < kParts; ++part) sum = hn::Add(sum, hn::LoadU(d, from[part] + c));
      hn::StoreU(sum, d, to + c);
    }
    for (; c < channels; ++c) {
      float sum = bias[c];
      for (int part = 0; part < kParts; ++part) sum += from[part][c];
      to[c] = sum;
    }
  }
}

void SumLine(std::span<const float* const> parts, int64_t part_stride, int64_t places, int64_t channels,
             const float* bias, float* out) {
  if (parts.size() == 4) return SumPlaces<4>(parts.data(), part_stride, places, channels, bias, out);
  if (parts.size() == 2) return SumPlaces<2>(parts.data(), part_stride, places, channels, bias, out);
  SumPlaces<1>(parts.data(), part_stride, places, channels, bias, out);
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {
namespace {

HWY_EXPORT(SumLine);

// Along one axis, a place of the large map is the sum of two taps, of neighbouring places of the small map;
// of one tap at an edge.
struct Taps {
  int64_t place[2] = {0, 0}, tap[2] = {0, 0};
  int count = 0;
};

Taps taps_of(int64_t large, int64_t side) {
  Taps taps;
  for (int64_t tap = (large + 1) % 2; tap < kKernelSide; tap += 2) {
    const int64_t place = (large + 1 - tap) / 2;
    if (large + 1 < tap || place >= side) continue;
    taps.place[taps.count] = place;
    taps.tap[taps.count++] = tap;
  }
  return taps;
}

}  // namespace

void scatter_picture(const float* columns, int64_t side, int64_t channels, const float* bias, float* out) {
  const int64_t row_size = kKernelSide * kKernelSide * channels;
  // The places x, x + 2, x + 4, ... of line y, which have the same taps.
  const auto sum_line = [&](int64_t y, int64_t x, int64_t places) {
    const Taps down = taps_of(y, side), across = taps_of(x, side);
    const float* parts[4];
    size_t count = 0;
    for (int i = 0; i < down.count; ++i)
      for (int j = 0; j < across.count; ++j)
        parts[count++] = columns + (down.place[i] * side + across.place[j]) * row_size +
                         (down.tap[i] * kKernelSide + across.tap[j]) * channels;
    float* first = out + (y * 2 * side + x) * channels;
    HWY_DYNAMIC_DISPATCH(SumLine)({parts, count}, row_size, places, channels, bias, first);
  };
  for (int64_t y = 0; y < 2 * side; ++y) {
    sum_line(y, 0, 1);  // the edges have fewer taps
    sum_line(y, 2 * side - 1, 1);
    if (side == 1) continue;
    sum_line(y, 1, side - 1);
    sum_line(y, 2, side - 1);
  }
}

}  // namespace nowhere
#endif
