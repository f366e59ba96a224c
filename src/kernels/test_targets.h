// For tests of kernels: each instruction set that this machine supports, and numbers to compute with.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/random.h"

namespace nowhere {

// Runs a test with one of Highway's targets, as if the processor supported no other.
class TargetTest : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

inline auto every_target() {
  return testing::ValuesIn(hwy::SupportedAndGeneratedTargets());
}

inline std::string target_name(const testing::TestParamInfo<int64_t>& tested) {
  return hwy::TargetName(tested.param);
}

// sum + a * b as the target computes it: rounded once where it fuses the two operations, else twice.
inline float multiply_add(int64_t target, float a, float b, float sum) {
  const bool fused = (target & (HWY_SSSE3 | HWY_SSE4 | HWY_EMU128 | HWY_SCALAR)) == 0;
  return fused ? std::fmaf(a, b, sum) : sum + a * b;
}

// Their memory ends with the last, so that the address sanitizer sees every access behind it.
inline std::vector<float> test_numbers(int64_t count, uint64_t seed) {
  std::vector<float> numbers(static_cast<size_t>(count));
  Random random(seed, Purpose::kSynth);
  for (float& number : numbers) number = static_cast<float>(random.normal());
  return numbers;
}

// For comparisons that tell 0 from -0 and take a NaN as equal to itself.
inline std::vector<uint32_t> bits_of(std::span<const float> numbers) {
  std::vector<uint32_t> bits;
  for (float number : numbers) bits.push_back(std::bit_cast<uint32_t>(number));
  return bits;
}

}  // namespace nowhere
