// What the kernels for convolutions with a 4 x 4 kernel, stride 2 and padding 1 work on. Such a convolution
// halves maps; its transpose, which is also its gradient to the maps, doubles them.
#pragma once

#include <cstdint>

namespace nowhere {

constexpr int64_t kKernelTaps = 16;  // of the whole kernel

// The layouts, all dense: large maps [pictures, height, width, channels], small maps [pictures, height / 2,
// width / 2, kernels], weights [kernels, 4, 4, channels].
struct HalvingShape {
  int64_t pictures = 0, height = 0, width = 0;  // of the large maps: at least 2, odd or even
  int64_t channels = 0, kernels = 0;

  int64_t small_height() const { return height / 2; }
  int64_t small_width() const { return width / 2; }
  int64_t large_size() const { return pictures * height * width * channels; }
  int64_t small_size() const { return pictures * small_height() * small_width() * kernels; }
  int64_t weights_size() const { return kernels * kKernelTaps * channels; }
};

}  // namespace nowhere
