#include "kernels/winograd_transforms.h"

#include <algorithm>

#include "kernels/block_product.h"

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/winograd_transforms.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kBlockLanes>;
using Numbers = hn::Vec<Lanes>;
constexpr int64_t kLanes = hn::MaxLanes(Lanes());

HWY_INLINE Numbers Times(float factor, Numbers numbers) {
  return hn::Mul(hn::Set(Lanes(), factor), numbers);
}

HWY_INLINE Numbers PlusTimes(Numbers sum, float factor, Numbers numbers) {
  return hn::MulAdd(hn::Set(Lanes(), factor), numbers, sum);
}

// The transforms along one axis: kFrom numbers, `from_step` apart, to kTo numbers, `to_step` apart.

struct OfPatch {  // B^T
  static constexpr int64_t kFrom = 5, kTo = 5;
  static HWY_INLINE void Apply(const Numbers* from, int64_t f, Numbers* to, int64_t t) {
    const Numbers a = from[0], b = from[f], c = from[2 * f], d = from[3 * f], e = from[4 * f];
    const Numbers rise = hn::Sub(d, b);
    to[0] = PlusTimes(rise, 2, hn::Sub(a, c));
    to[t] = hn::Sub(rise, hn::Add(b, c));
    to[2 * t] = PlusTimes(rise, 3, hn::Sub(b, c));
    to[3 * t] = rise;
    to[4 * t] = PlusTimes(hn::Sub(e, c), -2, rise);
  }
};

struct OfTile {  // A
  static constexpr int64_t kFrom = 4, kTo = 5;
  static HWY_INLINE void Apply(const Numbers* from, int64_t f, Numbers* to, int64_t t) {
    const Numbers a = from[0], b = from[f], c = from[2 * f], d = from[3 * f];
    const Numbers even = hn::Add(a, c), odd = hn::Add(b, d);
    to[0] = a;
    to[t] = hn::Add(even, odd);
    to[2 * t] = hn::Sub(even, odd);
    to[3 * t] = PlusTimes(PlusTimes(a, 4, c), 2, PlusTimes(b, 4, d));
    to[4 * t] = d;
  }
};

struct ToTile {  // A^T
  static constexpr int64_t kFrom = 5, kTo = 4;
  static HWY_INLINE void Apply(const Numbers* from, int64_t f, Numbers* to, int64_t t) {
    const Numbers a = from[0], b = from[f], c = from[2 * f], d = from[3 * f], e = from[4 * f];
    const Numbers sum = hn::Add(b, c), difference = hn::Sub(b, c);
    to[0] = hn::Add(hn::Add(a, d), sum);
    to[t] = PlusTimes(difference, 2, d);
    to[2 * t] = PlusTimes(sum, 4, d);
    to[3 * t] = PlusTimes(hn::Add(difference, e), 8, d);
  }
};

struct ToPatch {  // B
  static constexpr int64_t kFrom = 5, kTo = 5;
  static HWY_INLINE void Apply(const Numbers* from, int64_t f, Numbers* to, int64_t t) {
    const Numbers a = from[0], b = from[f], c = from[2 * f], d = from[3 * f], e = from[4 * f];
    const Numbers ends = hn::Add(a, d), sum = hn::Add(b, c);
    to[0] = hn::Add(a, a);
    to[t] = hn::MulSub(hn::Set(Lanes(), 2), hn::Sub(hn::Add(c, e), b), ends);
    to[2 * t] = hn::NegMulSub(hn::Set(Lanes(), 2), hn::Add(a, c), hn::Add(sum, e));
    to[3 * t] = PlusTimes(hn::Add(ends, sum), -2, e);
    to[4 * t] = e;
  }
};

struct OfTaps {  // G
  static constexpr int64_t kFrom = 2, kTo = 5;
  static HWY_INLINE void Apply(const Numbers* from, int64_t f, Numbers* to, int64_t t) {
    const Numbers a = from[0], b = from[f];
    to[0] = Times(0.5f, a);
    to[t] = Times(-0.5f, hn::Add(a, b));
    to[2 * t] = Times(1.0f / 6, hn::Sub(b, a));
    to[3 * t] = Times(1.0f / 6, PlusTimes(a, 2, b));
    to[4 * t] = b;
  }
};

struct ToTaps {  // G^T
  static constexpr int64_t kFrom = 5, kTo = 2;
  static HWY_INLINE void Apply(const Numbers* from, int64_t f, Numbers* to, int64_t t) {
    const Numbers a = from[0], b = from[f], c = from[2 * f], d = from[3 * f], e = from[4 * f];
    const Numbers third = Times(1.0f / 6, hn::Sub(d, c));
    to[0] = PlusTimes(third, 0.5f, hn::Sub(a, b));
    to[t] = PlusTimes(PlusTimes(e, -0.5f, b), 1.0f / 6, PlusTimes(c, 2, d));
  }
};

// Along both axes.
template <class Axis>
HWY_INLINE void TransformSquare(const Numbers* from, Numbers* to) {
  constexpr int64_t kFrom = Axis::kFrom, kTo = Axis::kTo;
  Numbers half[kTo * kFrom];
#pragma GCC unroll 8
  for (int64_t x = 0; x < kFrom; ++x) Axis::Apply(from + x, kFrom, half + x, kFrom);
#pragma GCC unroll 8
  for (int64_t y = 0; y < kTo; ++y) Axis::Apply(half + y * kFrom, 1, to + y * kTo, 1);
}

// Up to kLanes numbers of memory that may end behind them.
Numbers LoadSome(const float* from, int64_t count) {
  float numbers[kBlockLanes] = {};
  std::copy_n(from, count, numbers);
  return hn::LoadU(Lanes(), numbers);
}

void StoreSome(Numbers numbers, float* to, int64_t count) {
  float all[kBlockLanes];
  hn::StoreU(numbers, Lanes(), all);
  std::copy_n(all, count, to);
}

int64_t Padded(int64_t channels) {
  return (channels + kBlockLanes - 1) / kBlockLanes * kBlockLanes;
}

template <class Axis>
void PlacesToSpectrum(const float* const* places, int64_t channels, Spectrum to) {
  constexpr int64_t kPlaces = Axis::kFrom * Axis::kFrom;
  const Lanes d;
  Numbers from[kPlaces], made[kFrequencies];
  int64_t c = 0;
  for (; c < channels; c += kLanes) {
    if (c + kLanes <= channels) {
#pragma GCC unroll 25
      for (int64_t i = 0; i < kPlaces; ++i) from[i] = hn::LoadU(d, places[i] + c);
    } else {
      for (int64_t i = 0; i < kPlaces; ++i) from[i] = LoadSome(places[i] + c, channels - c);
    }
    TransformSquare<Axis>(from, made);
#pragma GCC unroll 25
    for (int64_t f = 0; f < kFrequencies; ++f) hn::StoreU(made[f], d, to.first + f * to.stride + c);
  }
  for (; c < Padded(channels); c += kLanes)
    for (int64_t f = 0; f < kFrequencies; ++f) hn::StoreU(hn::Zero(d), d, to.first + f * to.stride + c);
}

void TransformPatch(const float* const* places, int64_t channels, Spectrum to) {
  PlacesToSpectrum<OfPatch>(places, channels, to);
}

void TransformTile(const float* const* places, int64_t channels, Spectrum to) {
  PlacesToSpectrum<OfTile>(places, channels, to);
}

template <class Axis>
HWY_INLINE void FromSpectrum(Spectrum from, int64_t channel, Numbers* made) {
  Numbers read[kFrequencies];
#pragma GCC unroll 25
  for (int64_t f = 0; f < kFrequencies; ++f)
    read[f] = hn::LoadU(Lanes(), from.first + f * from.stride + channel);
  TransformSquare<Axis>(read, made);
}

void BackToTile(Spectrum from, int64_t channels, float* const* places) {
  Numbers made[kTilePlaces];
  for (int64_t c = 0; c < channels; c += kLanes) {
    FromSpectrum<ToTile>(from, c, made);
    const int64_t some = std::min(kLanes, channels - c);
#pragma GCC unroll 16
    for (int64_t i = 0; i < kTilePlaces; ++i) {
      if (places[i] == nullptr) continue;
      if (some == kLanes)
        hn::StoreU(made[i], Lanes(), places[i] + c);
      else
        StoreSome(made[i], places[i] + c, some);
    }
  }
}

// At `channel` of all places; `load` and `store` are for as many numbers as there are from there on.
template <class Load, class Store>
HWY_INLINE void GiveShares(Spectrum from, int64_t channel, const MapFinish& finish, const SharedPlace* places,
                           const Load& load, const Store& store) {
  Numbers made[kFrequencies];
  FromSpectrum<ToPatch>(from, channel, made);
  const bool finishes = finish.bias != nullptr;
  const Numbers bias = finishes ? load(finish.bias + channel) : hn::Zero(Lanes());
  const Numbers floor = hn::Set(Lanes(), finish.floor);
#pragma GCC unroll 25
  for (int64_t i = 0; i < kFrequencies; ++i) {
    if (places[i].numbers == nullptr) continue;
    float* at = places[i].numbers + channel;
    if (places[i].is_begun) made[i] = hn::Add(load(at), made[i]);
    if (finishes && places[i].is_last) made[i] = hn::Max(hn::Add(made[i], bias), floor);
    store(made[i], at);
  }
}

void BackToPatch(Spectrum from, int64_t channels, MapFinish finish, const SharedPlace* places) {
  const Lanes d;
  int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes)
    GiveShares(
        from, c, finish, places, [d](const float* at) { return hn::LoadU(d, at); },
        [d](Numbers numbers, float* at) { hn::StoreU(numbers, d, at); });
  if (c == channels) return;
  const int64_t some = channels - c;
  GiveShares(
      from, c, finish, places, [some](const float* at) { return LoadSome(at, some); },
      [some](Numbers numbers, float* at) { StoreSome(numbers, at, some); });
}

void TransformTaps(const TapRows& taps, int64_t rows, int64_t columns, Spectrum to) {
  const Lanes d;
  constexpr int64_t kAhead = 4;  // rows, which are far apart; the last ones are fetched in vain
  const int64_t width = Padded(columns);
  Numbers from[4], made[kFrequencies];
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < width; c += kLanes) {
      const int64_t some = std::clamp<int64_t>(columns - c, 0, kLanes);
      for (int64_t tap = 0; tap < 4; ++tap) {
        const float* at = taps.taps[tap] + row * taps.row_stride + c;
        hwy::Prefetch(at + kAhead * taps.row_stride);
        from[tap] = some == kLanes ? hn::LoadU(d, at) : some == 0 ? hn::Zero(d) : LoadSome(at, some);
      }
      TransformSquare<OfTaps>(from, made);
#pragma GCC unroll 25
      for (int64_t f = 0; f < kFrequencies; ++f)
        hn::StoreU(made[f], d, to.first + f * to.stride + row * width + c);
    }
}

void GatherTaps(Spectrum from, int64_t rows, int64_t columns, bool add, float* const* taps,
                int64_t row_stride) {
  const Lanes d;
  const int64_t width = Padded(columns);
  Numbers read[kFrequencies], made[4];
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < columns; c += kLanes) {
#pragma GCC unroll 25
      for (int64_t f = 0; f < kFrequencies; ++f)
        read[f] = hn::LoadU(d, from.first + f * from.stride + row * width + c);
      TransformSquare<ToTaps>(read, made);
      const int64_t some = std::min(kLanes, columns - c);
      for (int64_t tap = 0; tap < 4; ++tap) {
        float* at = taps[tap] + row * row_stride + c;
        if (some == kLanes) {
          hn::StoreU(add ? hn::Add(hn::LoadU(d, at), made[tap]) : made[tap], d, at);
        } else {
          StoreSome(add ? hn::Add(LoadSome(at, some), made[tap]) : made[tap], at, some);
        }
      }
    }
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {

HWY_EXPORT(TransformPatch);
HWY_EXPORT(TransformTile);
HWY_EXPORT(BackToTile);
HWY_EXPORT(BackToPatch);
HWY_EXPORT(TransformTaps);
HWY_EXPORT(GatherTaps);

void transform_patch(const float* const* places, int64_t channels, const Spectrum& to) {
  HWY_DYNAMIC_DISPATCH(TransformPatch)(places, channels, to);
}

void transform_tile(const float* const* places, int64_t channels, const Spectrum& to) {
  HWY_DYNAMIC_DISPATCH(TransformTile)(places, channels, to);
}

void back_to_tile(const Spectrum& from, int64_t channels, float* const* places) {
  HWY_DYNAMIC_DISPATCH(BackToTile)(from, channels, places);
}

void back_to_patch(const Spectrum& from, int64_t channels, const MapFinish& finish,
                   const SharedPlace* places) {
  HWY_DYNAMIC_DISPATCH(BackToPatch)(from, channels, finish, places);
}

void transform_taps(const TapRows& from, int64_t rows, int64_t columns, const Spectrum& to) {
  HWY_DYNAMIC_DISPATCH(TransformTaps)(from, rows, columns, to);
}

void gather_taps(const Spectrum& from, int64_t rows, int64_t columns, bool add, float* const* taps,
                 int64_t row_stride) {
  HWY_DYNAMIC_DISPATCH(GatherTaps)(from, rows, columns, add, taps, row_stride);
}

}  // namespace nowhere
#endif
