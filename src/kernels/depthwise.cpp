#include "kernels/depthwise.h"

#include <algorithm>

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/depthwise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/relu6-inl.h"

namespace nowhere {
#ifndef NOWHERE_DEPTHWISE_PASS
#define NOWHERE_DEPTHWISE_PASS

constexpr int64_t kMostTaps = 5;

struct DepthwisePass {
  const DepthwisePhase& phase;
  int64_t side, out_side, padded;
  const float *maps, *zeros;
  const ChannelFinish& finish;
  float* out;
};

#endif
}  // namespace nowhere

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

// Neighbouring places that share the reading of maps and weights.
constexpr int kStripPlaces = 4;

// The rows of a window that lie inside of the map.
struct WindowRows {
  int64_t begin, end;
};

// Places x to x + kPlaces of line y.
template <int kTaps, int kStep, int kPlaces>
void MakeStrip(const DepthwisePass& pass, int64_t y, const WindowRows& rows, int64_t x) {
  constexpr int kColumns = (kPlaces - 1) * kStep + kTaps;
  const ChannelLanes d;
  const DepthwisePhase& phase = pass.phase;
  const float* from[kMostTaps][kColumns];
  for (int64_t r = rows.begin; r < rows.end; ++r)
    for (int column = 0; column < kColumns; ++column) {
      const int64_t in_y = y * kStep + phase.first_y + r, in_x = x * kStep + phase.first_x + column;
      from[r][column] =
          in_x < 0 || in_x >= pass.side ? pass.zeros : pass.maps + (in_y * pass.side + in_x) * pass.padded;
    }
  const ChannelFinish& finish = pass.finish;
  const int64_t place = (phase.out_y + y * phase.out_step) * pass.out_side + phase.out_x + x * phase.out_step;
  const int64_t bytes = pass.padded / kChannelLanes * kBitBytes;

  for (int64_t c = 0; c < pass.padded; c += kChannelLanes) {
    hn::Vec<ChannelLanes> sums[kPlaces];
#pragma GCC unroll 4
    for (auto& sum : sums) sum = finish.bias != nullptr ? hn::LoadU(d, finish.bias + c) : hn::Zero(d);
    for (int64_t r = rows.begin; r < rows.end; ++r) {
      const float* weights = phase.weights.data() + r * kTaps * pass.padded + c;
      hn::Vec<ChannelLanes> numbers[kColumns];
#pragma GCC unroll 16
      for (int column = 0; column < kColumns; ++column) numbers[column] = hn::LoadU(d, from[r][column] + c);
#pragma GCC unroll 8
      for (int tap = 0; tap < kTaps; ++tap) {
        const auto weight = hn::LoadU(d, weights + tap * pass.padded);
#pragma GCC unroll 4
        for (int i = 0; i < kPlaces; ++i) sums[i] = hn::MulAdd(numbers[i * kStep + tap], weight, sums[i]);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kPlaces; ++i) {
      const int64_t here = place + i * phase.out_step, bits = here * bytes + c / kChannelLanes * kBitBytes;
      if (finish.relu6) sums[i] = Relu6(sums[i], finish.blocked != nullptr ? finish.blocked + bits : nullptr);
      if (finish.blocked_by != nullptr) sums[i] = Relu6Gradient(sums[i], finish.blocked_by + bits);
      hn::StoreU(sums[i], d, pass.out + here * pass.padded + c);
    }
  }
}

template <int kTaps, int kStep>
void MakeLines(const DepthwisePass& pass) {
  const DepthwisePhase& phase = pass.phase;
  for (int64_t y = 0; y < phase.places_y; ++y) {
    const int64_t first = y * kStep + phase.first_y;
    const WindowRows rows{std::clamp<int64_t>(-first, 0, phase.taps_y),
                          std::clamp<int64_t>(pass.side - first, 0, phase.taps_y)};
    int64_t x = 0;
    for (; x + kStripPlaces <= phase.places_x; x += kStripPlaces)
      MakeStrip<kTaps, kStep, kStripPlaces>(pass, y, rows, x);
    for (; x < phase.places_x; ++x) MakeStrip<kTaps, kStep, 1>(pass, y, rows, x);
  }
}

void MakePhase(const DepthwisePass& pass) {
  constexpr void (*kMake[2][kMostTaps])(const DepthwisePass&) = {
      {MakeLines<1, 1>, MakeLines<2, 1>, MakeLines<3, 1>, MakeLines<4, 1>, MakeLines<5, 1>},
      {MakeLines<1, 2>, MakeLines<2, 2>, MakeLines<3, 2>, MakeLines<4, 2>, MakeLines<5, 2>}};
  kMake[pass.phase.step - 1][pass.phase.taps_x - 1](pass);
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {
namespace {

HWY_EXPORT(MakePhase);

// Along one axis: which taps of the kernel reach a place of the input, by its parity to the stride, and from
// where. Tap k of output o reads o * stride + k - padding, so place i = m * stride + parity gets tap k from
// output m + (parity + padding - k) / stride.
struct ReachingTaps {
  std::vector<int64_t> taps;  // descending, so that the outputs ascend
  int64_t first = 0;          // the output of the first tap, for m = 0
};

ReachingTaps reaching_taps(const DepthwiseShape& shape, int64_t parity) {
  ReachingTaps reaching;
  for (int64_t tap = shape.kernel - 1; tap >= 0; --tap) {
    const int64_t distance = parity + shape.padding - tap;
    if (distance % shape.stride != 0) continue;
    if (reaching.taps.empty()) reaching.first = distance / shape.stride;
    reaching.taps.push_back(tap);
  }
  return reaching;
}

// [kernel, kernel, padded channels] of the taps of both axes
std::vector<float> chosen_weights(const DepthwiseShape& shape, std::span<const float> weights,
                                  std::span<const int64_t> rows, std::span<const int64_t> columns) {
  const int64_t padded = padded_channels(shape.channels);
  std::vector<float> chosen(rows.size() * columns.size() * static_cast<size_t>(padded));
  float* to = chosen.data();
  for (const int64_t row : rows)
    for (const int64_t column : columns) {
      for (int64_t c = 0; c < shape.channels; ++c)
        to[c] = weights[static_cast<size_t>((c * shape.kernel + row) * shape.kernel + column)];
      to += padded;
    }
  return chosen;
}

DepthwisePhase forward_phase(const DepthwiseShape& shape, std::span<const float> weights) {
  std::vector<int64_t> taps;
  for (int64_t tap = 0; tap < shape.kernel; ++tap) taps.push_back(tap);
  return {.taps_y = shape.kernel,
          .taps_x = shape.kernel,
          .step = shape.stride,
          .first_y = -shape.padding,
          .first_x = -shape.padding,
          .places_y = shape.out_side,
          .places_x = shape.out_side,
          .weights = chosen_weights(shape, weights, taps, taps)};
}

DepthwisePhase backward_phase(const DepthwiseShape& shape, std::span<const float> weights, int64_t parity_y,
                              int64_t parity_x) {
  const ReachingTaps down = reaching_taps(shape, parity_y), across = reaching_taps(shape, parity_x);
  const auto places = [&](int64_t parity) { return (shape.side - parity + shape.stride - 1) / shape.stride; };
  return {.taps_y = static_cast<int64_t>(down.taps.size()),
          .taps_x = static_cast<int64_t>(across.taps.size()),
          .step = 1,
          .first_y = down.first,
          .first_x = across.first,
          .out_y = parity_y,
          .out_x = parity_x,
          .out_step = shape.stride,
          .places_y = places(parity_y),
          .places_x = places(parity_x),
          .weights = chosen_weights(shape, weights, down.taps, across.taps)};
}

}  // namespace

Depthwise::Depthwise(const DepthwiseShape& shape, std::span<const float> weights)
    : shape_(shape),
      forward_(forward_phase(shape, weights)),
      zeros_(static_cast<size_t>(padded_channels(shape.channels))) {
  for (int64_t y = 0; y < shape.stride; ++y)
    for (int64_t x = 0; x < shape.stride; ++x) backward_.push_back(backward_phase(shape, weights, y, x));
}

// A kernel smaller than the stride would leave places that nothing reaches.
bool Depthwise::supports(const DepthwiseShape& shape) {
  return (shape.stride == 1 || shape.stride == 2) && shape.kernel >= shape.stride &&
         shape.kernel <= kMostTaps;
}

void Depthwise::forward(const float* maps, const ChannelFinish& finish, float* out) const {
  HWY_DYNAMIC_DISPATCH(MakePhase)
  ({forward_, shape_.side, shape_.out_side, padded_channels(shape_.channels), maps, zeros_.data(), finish,
    out});
}

void Depthwise::backward(const float* gradient, const ChannelFinish& finish, float* out) const {
  for (const DepthwisePhase& phase : backward_) HWY_DYNAMIC_DISPATCH(MakePhase)
  ({phase, shape_.out_side, shape_.side, padded_channels(shape_.channels), gradient, zeros_.data(), finish,
    out});
}

}  // namespace nowhere
#endif
