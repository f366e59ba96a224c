// Counter-based random numbers: every stream is a pure function of its key, so what is drawn for a sample
// depends neither on threads nor on what was drawn before.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <utility>
#include <vector>

namespace nowhere {

// What a stream is for; two purposes never share numbers. Values are part of saved states: only add.
enum class Purpose : uint64_t {
  kShuffle = 1,
  kAugment = 2,
  kReplace = 3,
  kSynth = 4,
  kPackOrder = 5,
  kSplit = 6,
  kLatent = 7,
  kFixedNoise = 8,
  kDiffAugment = 9,
  kInstanceNoise = 10,
  kInitialise = 11,
  kScore = 12,
  kCalibrate = 13,
  kSeed = 14,
  kNeighbour = 15,
  kPhotoNoise = 16,
  kRank = 17
};

// The finaliser of SplitMix64: a bijection in which every input bit reaches every output bit.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Random {
 public:
  // Keyed on (seed, purpose, numbers that identify the sample: epoch, index...).
  Random(uint64_t seed, Purpose purpose, std::initializer_list<uint64_t> numbers = {})
      : key_(mix64(seed ^ mix64(static_cast<uint64_t>(purpose)))) {
    for (uint64_t number : numbers) key_ = mix64(key_ ^ mix64(number));
  }

  uint64_t bits() { return mix64(key_ ^ (counter_++ * 0xd1342543de82ef95u)); }

  // In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  // In [0, bound), for 0 < bound <= 2^32; the bias of the multiply method is below bound / 2^32.
  uint64_t below(uint64_t bound) { return ((bits() >> 32) * bound) >> 32; }

  bool chance(double probability) { return uniform() < probability; }

  // Standard normal, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  // Fisher and Yates.
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[below(left)]);
  }

 private:
  uint64_t key_;
  uint64_t counter_ = 0;
};

}  // namespace nowhere
