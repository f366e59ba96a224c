#include "kernels/bf16.h"

#include <algorithm>

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bf16.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kBlockLanes>;
using Words = hn::RebindToUnsigned<Lanes>;
using Halves = hn::Rebind<uint16_t, Lanes>;  // as many as Words, half as wide
using Square = hn::CappedTag<uint32_t, 4>;   // a row of what TransposeSquare works on
constexpr int64_t kLanes = hn::MaxLanes(Lanes());
constexpr int64_t kSide = hn::MaxLanes(Square());

#if HWY_TARGET == HWY_SCALAR  // has no vectors to divide into halves

HWY_INLINE void StorePairs(hn::Vec<Words> pairs, Bf16* to) {
  const uint32_t bits = hn::GetLane(pairs);
  to[0] = static_cast<Bf16>(bits & 0xffff);
  to[1] = static_cast<Bf16>(bits >> 16);
}

HWY_INLINE void TransposeSquare(const Bf16* from, int64_t, Bf16* to, int64_t) {
  std::copy_n(from, 2, to);
}

#else

HWY_INLINE void StorePairs(hn::Vec<Words> pairs, Bf16* to) {
  const hn::RepartitionToNarrow<Words> d;
  hn::StoreU(hn::BitCast(d, pairs), d, to);
}

// Strides in numbers, not pairs.
HWY_INLINE void TransposeSquare(const Bf16* from, int64_t from_stride, Bf16* to, int64_t to_stride) {
  static_assert(kSide == 4);
  const Square d;
  const hn::RepartitionToNarrow<Square> halves;
  const auto row = [&](int64_t i)
                       HWY_ATTR { return hn::BitCast(d, hn::LoadU(halves, from + i * from_stride)); };
  const auto store = [&](int64_t i, hn::Vec<Square> column)
                         HWY_ATTR { hn::StoreU(hn::BitCast(halves, column), halves, to + i * to_stride); };
  const auto a = row(0), b = row(1), c = row(2), e = row(3);
  const auto even = hn::InterleaveLower(d, a, c), odd = hn::InterleaveLower(d, b, e);
  store(0, hn::InterleaveLower(d, even, odd));
  store(1, hn::InterleaveUpper(d, even, odd));
  const auto upper_even = hn::InterleaveUpper(d, a, c), upper_odd = hn::InterleaveUpper(d, b, e);
  store(2, hn::InterleaveLower(d, upper_even, upper_odd));
  store(3, hn::InterleaveUpper(d, upper_even, upper_odd));
}

#endif

// The upper half of each word is the number in bf16. In integers, since Highway's own conversion cuts off.
HWY_INLINE hn::Vec<Words> Rounded(const float* from) {
  const Lanes d;
  const Words words;
  const auto numbers = hn::LoadU(d, from);
  const auto bits = hn::BitCast(words, numbers);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(words, 0x7fff)));
  const auto is_nan = hn::RebindMask(words, hn::IsNaN(numbers));
  return hn::IfThenElse(is_nan, hn::Set(words, 0x7fc00000), rounded);
}

// One vector of numbers.
HWY_INLINE void Convert(const float* from, Bf16* to) {
  const Halves halves;
  hn::StoreU(hn::TruncateTo(halves, hn::ShiftRight<16>(Rounded(from))), halves, to);
}

HWY_INLINE void ConvertPairs(const float* even, const float* odd, Bf16* to) {
  const auto upper = hn::And(Rounded(odd), hn::Set(Words(), 0xffff0000));
  StorePairs(hn::Or(hn::ShiftRight<16>(Rounded(even)), upper), to);
}

void ToBf16(const float* HWY_RESTRICT from, int64_t count, Bf16* HWY_RESTRICT to) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Convert(from + i, to + i);
  if (i == count) return;
  // The last vector repeats some numbers of the one before it.
  if (count >= kLanes) return Convert(from + count - kLanes, to + count - kLanes);
  HWY_ALIGN float few[kLanes] = {};
  HWY_ALIGN Bf16 converted[kLanes];
  std::copy_n(from, count, few);
  Convert(few, converted);
  std::copy_n(converted, count, to);
}

void ToBf16Pairs(const float* HWY_RESTRICT even, const float* HWY_RESTRICT odd, int64_t count,
                 Bf16* HWY_RESTRICT to) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) ConvertPairs(even + i, odd + i, to + 2 * i);
  if (i == count) return;
  if (count >= kLanes) {
    i = count - kLanes;
    return ConvertPairs(even + i, odd + i, to + 2 * i);
  }
  HWY_ALIGN float few[2][kLanes] = {};
  HWY_ALIGN Bf16 converted[2 * kLanes];
  std::copy_n(even, count, few[0]);
  std::copy_n(odd, count, few[1]);
  ConvertPairs(few[0], few[1], converted);
  std::copy_n(converted, 2 * count, to);
}

void TransposePairs(const Bf16* HWY_RESTRICT from, int64_t from_stride, int64_t rows, int64_t columns,
                    Bf16* HWY_RESTRICT to, int64_t to_stride) {
  const int64_t full_rows = rows / kSide * kSide, full_columns = columns / kSide * kSide;
  for (int64_t column = 0; column < full_columns; column += kSide)
    for (int64_t row = 0; row < full_rows; row += kSide)
      TransposeSquare(from + (row * from_stride + column) * 2, from_stride * 2,
                      to + (column * to_stride + row) * 2, to_stride * 2);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = row < full_rows ? full_columns : 0; column < columns; ++column)
      std::copy_n(from + (row * from_stride + column) * 2, 2, to + (column * to_stride + row) * 2);
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {

HWY_EXPORT(ToBf16);
HWY_EXPORT(ToBf16Pairs);
HWY_EXPORT(TransposePairs);

void to_bf16(const float* from, int64_t count, Bf16* to) {
  HWY_DYNAMIC_DISPATCH(ToBf16)(from, count, to);
}

void to_bf16_pairs(const float* even, const float* odd, int64_t count, Bf16* to) {
  HWY_DYNAMIC_DISPATCH(ToBf16Pairs)(even, odd, count, to);
}

void transpose_pairs(const Bf16* from, int64_t from_stride, int64_t rows, int64_t columns, Bf16* to,
                     int64_t to_stride) {
  HWY_DYNAMIC_DISPATCH(TransposePairs)(from, from_stride, rows, columns, to, to_stride);
}

}  // namespace nowhere
#endif
