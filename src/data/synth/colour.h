// Linear light in floats, and the small arithmetic that the painters share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/random.h"

namespace nowhere::synth {

// Linear light; 1 is a white wall in full daylight, lamps go beyond.
struct Rgb {
  float r = 0;
  float g = 0;
  float b = 0;
};

constexpr Rgb operator+(Rgb a, Rgb b) {
  return {a.r + b.r, a.g + b.g, a.b + b.b};
}
constexpr Rgb operator-(Rgb a, Rgb b) {
  return {a.r - b.r, a.g - b.g, a.b - b.b};
}
constexpr Rgb operator*(Rgb a, Rgb b) {
  return {a.r * b.r, a.g * b.g, a.b * b.b};
}
constexpr Rgb operator*(Rgb a, float k) {
  return {a.r * k, a.g * k, a.b * k};
}

constexpr Rgb mix(Rgb a, Rgb b, float t) {
  return a + (b - a) * t;
}
constexpr float mix(float a, float b, float t) {
  return a + (b - a) * t;
}
// Two selections rather than a chain: compilers make them branchless.
constexpr float clamp01(float x) {
  const float low = 0.0f > x ? 0.0f : x;
  return 1.0f < low ? 1.0f : low;
}
constexpr float square(float x) {
  return x * x;
}

constexpr float smoothstep(float low, float high, float x) {
  const float t = clamp01((x - low) / (high - low));
  return t * t * (3.0f - 2.0f * t);
}

constexpr float luma(Rgb c) {
  return 0.3f * c.r + 0.59f * c.g + 0.11f * c.b;
}
constexpr Rgb grey(float v) {
  return {v, v, v};
}

// 0xRRGGBB as seen on a screen; the finisher's gamma is 2, so this one is too.
constexpr Rgb screen(uint32_t rgb) {
  return {square(static_cast<float>((rgb >> 16) & 255u) / 255.0f),
          square(static_cast<float>((rgb >> 8) & 255u) / 255.0f),
          square(static_cast<float>(rgb & 255u) / 255.0f)};
}

// Without SSE4.1 std::floor is a call; this is two instructions, good for |x| < 2^31.
inline int fast_floor(float x) {
  const int i = static_cast<int>(x);
  return i - (x < static_cast<float>(i) ? 1 : 0);
}

constexpr uint32_t hash32(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
constexpr uint32_t hash32(uint32_t a, uint32_t b) {
  return hash32(a ^ hash32(b + 0x9e3779b9u));
}
constexpr uint32_t hash32(uint32_t a, uint32_t b, uint32_t c) {
  return hash32(hash32(a, b), c);
}

// In [0, 1), from a hash.
constexpr float unit(uint32_t hash) {
  return static_cast<float>(hash >> 8) * 0x1p-24f;
}

// The width of a pixel on a surface, with its inverse: a division for all patterns at once.
struct Footprint {
  float width = 1;
  float inverse = 1;

  Footprint() = default;
  explicit Footprint(float metres) : width(metres), inverse(1.0f / metres) {}
  Footprint scaled(float by) const {  // only where `by` is the same for many pixels
    Footprint out;
    out.width = width * by;
    out.inverse = 1.0f / out.width;
    return out;
  }
};

// How much of the pixel around x lies in [a, b].
inline float interval_cover(float x, const Footprint& pixel, float a, float b) {
  const float half = 0.5f * pixel.width;
  return clamp01((std::min(x + half, b) - std::max(x - half, a)) * pixel.inverse);
}

// The same for a train of pulses of the given share (duty) of period 1: the exact integral over the pixel, so
// that stripes fade to their mean instead of aliasing.
inline float pulse_cover(float x, const Footprint& pixel, float duty) {
  const auto integral = [duty](float t) {
    const int i = fast_floor(t);
    return static_cast<float>(i) * duty + std::min(t - static_cast<float>(i), duty);
  };
  const float half = 0.5f * pixel.width;
  return (integral(x + half) - integral(x - half)) * pixel.inverse;
}

// Every random stream of the set is named by the set's seed, one of these, and up to four numbers.
enum class Topic : uint64_t { kCity = 1, kNames = 2, kDrive = 3, kTree = 4, kPlan = 5 };

inline Random stream(uint64_t seed, Topic topic, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                     uint64_t d = 0) {
  return Random(seed, Purpose::kSynth, {static_cast<uint64_t>(topic), a, b, c, d});
}

inline float uniform(Random& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random.uniform());
}
inline int uniform_int(Random& random, int low, int high) {  // both ends included
  return low + static_cast<int>(random.below(static_cast<uint64_t>(high - low + 1)));
}

}  // namespace nowhere::synth
