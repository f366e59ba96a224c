#include "kernels/tanh.h"

#include <algorithm>

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tanh.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Highway's goes by way of whole numbers, which those that are not finite must not reach.
template <class D>
hn::Vec<D> TanhOfAny(D d, hn::Vec<D> numbers) {
  constexpr float kLarge = 20;  // from where it is 1
  const auto is_nan = hn::IsNaN(numbers);
  const auto bounded =
      hn::Clamp(hn::IfThenZeroElse(is_nan, numbers), hn::Set(d, -kLarge), hn::Set(d, kLarge));
  return hn::IfThenElse(is_nan, numbers, hn::Tanh(d, bounded));
}

void TanhNumbers(std::span<float> numbers) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    hn::StoreU(TanhOfAny(d, hn::LoadU(d, &numbers[i])), d, &numbers[i]);
  float rest[hn::MaxLanes(d)] = {};
  std::copy(numbers.begin() + static_cast<std::ptrdiff_t>(i), numbers.end(), rest);
  hn::StoreU(TanhOfAny(d, hn::LoadU(d, rest)), d, rest);
  std::copy_n(rest, numbers.size() - i, numbers.begin() + static_cast<std::ptrdiff_t>(i));
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {

HWY_EXPORT(TanhNumbers);

void tanh_numbers(std::span<float> numbers) {
  HWY_DYNAMIC_DISPATCH(TanhNumbers)(numbers);
}

}  // namespace nowhere
#endif
