#include "kernels/halving_product.h"

#include "kernels/window_product.h"
#include "kernels/winograd.h"

namespace nowhere {
namespace {

constexpr int64_t kFewChannels = 4;                    // up to so many, windows
constexpr int64_t kManyChannels = 16, kManyTiles = 8;  // from so many on, Winograd

bool uses_winograd(const HalvingShape& shape) {
  return halving_kernel(shape) == HalvingKernel::kWinograd;
}

}  // namespace

std::string_view name_of(HalvingKernel kernel) {
  switch (kernel) {
    case HalvingKernel::kWinograd:
      return "Winograd";
    case HalvingKernel::kWindows:
      return "windows";
    case HalvingKernel::kBf16:
      return "bf16";
    case HalvingKernel::kNone:
      break;
  }
  return "none";
}

HalvingKernel halving_kernel(const HalvingShape& shape) {
  if (shape.channels <= kFewChannels) return HalvingKernel::kWindows;
  // A tile stands for 4 x 4 places of the small map.
  const int64_t tiles = shape.pictures * ((shape.small_height() + 3) / 4) * ((shape.small_width() + 3) / 4);
  const bool many = shape.channels >= kManyChannels && shape.kernels >= kManyChannels && tiles >= kManyTiles;
  return many ? HalvingKernel::kWinograd : HalvingKernel::kNone;
}

HalvingKernel bf16_halving_kernel(const HalvingShape& shape) {
  if (shape.channels <= kFewChannels) return HalvingKernel::kWindows;
  const bool many = shape.channels >= kManyChannels && shape.kernels >= kManyChannels;
  return many ? HalvingKernel::kBf16 : HalvingKernel::kNone;
}

void halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
           const Workers& workers) {
  (uses_winograd(shape) ? winograd_halve : window_halve)(shape, large, weights, small, workers);
}

void double_up(const HalvingShape& shape, const float* small, const float* weights, float* large,
               const Workers& workers) {
  if (uses_winograd(shape))
    winograd_double(shape, small, weights, large, workers);
  else
    window_double(shape, small, weights, large, workers);
}

void weigh(const HalvingShape& shape, const float* large, const float* small, float* weights,
           const Workers& workers) {
  (uses_winograd(shape) ? winograd_weights : window_weights)(shape, large, small, weights, workers);
}

}  // namespace nowhere
