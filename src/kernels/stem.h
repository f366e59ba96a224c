// The first convolution of a network: colours of a picture to channels at half the size, with ReLU6; and the
// gradient back to the picture.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/channel_product.h"
#include "kernels/picture_view.h"

namespace nowhere {

constexpr int64_t kColours = 3;

// Stride 2. The side is even, the kernel at least 2.
struct StemShape {
  int64_t side = 0, channels = 0, kernel = 0;
  int64_t padding = 0;  // zeros in front of the first row and column

  int64_t out_side() const { return side / 2; }
};

class Stem {
 public:
  // `weights` [channels, 3, kernel, kernel]
  Stem(const StemShape& shape, std::span<const float> weights, std::span<const float> bias);

  const StemShape& shape() const { return shape_; }
  int64_t scratch() const;  // numbers that both directions use meanwhile
  int64_t bit_bytes() const { return shape_.out_side() * shape_.out_side() * relu6_bytes(shape_.channels); }

  // picture -> out [side/2, side/2, padded channels]; `blocked` [bit_bytes] or null
  void forward(const PictureView& picture, uint8_t* blocked, float* scratch, float* out) const;
  // gradient [side/2, side/2, padded channels], of what is before ReLU6 -> out [side, side, 3]
  void backward(const float* gradient, float* scratch, float* out) const;

 private:
  StemShape shape_;
  int64_t padded_side_;    // of the picture with the zeros around it
  int64_t reach_, first_;  // of the windows of the gradient: how wide, and where the first begins
  ChannelMatrix forward_, backward_;
  std::vector<float> bias_;
};

}  // namespace nowhere
