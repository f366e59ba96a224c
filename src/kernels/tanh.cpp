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

void TanhNumbers(std::span<float> numbers) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    hn::StoreU(hn::Tanh(d, hn::LoadU(d, &numbers[i])), d, &numbers[i]);
  float rest[hn::MaxLanes(d)] = {};
  std::copy(numbers.begin() + static_cast<std::ptrdiff_t>(i), numbers.end(), rest);
  hn::StoreU(hn::Tanh(d, hn::LoadU(d, rest)), d, rest);
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
