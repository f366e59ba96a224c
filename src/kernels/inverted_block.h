// An inverted residual block (MobileNetV2's, EfficientNet-Lite's): a 1 x 1 convolution to many channels, a
// depthwise one, a 1 x 1 convolution to few. ReLU6 behind the first two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/depthwise.h"

namespace nowhere {

struct InvertedBlockWeights {
  int64_t in = 0, wide = 0, out = 0;                     // channels
  std::vector<float> expand, expand_bias;                // [wide, in]; none: `wide` is `in`, as it comes
  DepthwiseShape depthwise;                              // of `wide` channels
  std::vector<float> depthwise_weights, depthwise_bias;  // [wide, kernel, kernel]
  std::vector<float> project, project_bias;              // [out, wide]
  bool residual = false;                                 // what comes in is added to what goes out
};

// Where ReLU6 lets no gradient through, for pictures one behind the other.
template <class Byte>
struct BlockBits {
  Byte* expand = nullptr;  // without an expansion: of what comes in, which ReLU6 made
  Byte* depthwise = nullptr;
};

class InvertedBlock {
 public:
  explicit InvertedBlock(const InvertedBlockWeights& weights);

  // Of one picture: places and channels with their padding.
  int64_t in_size() const { return in_places_ * padded_channels(in_); }
  int64_t out_size() const { return out_places_ * padded_channels(out_); }
  int64_t in_places() const { return in_places_; }
  int64_t out_places() const { return out_places_; }
  int64_t out_side() const { return out_side_; }
  int64_t out_channels() const { return out_; }
  bool expands() const { return expand_.has_value(); }
  int64_t expand_bytes() const { return expand_ ? in_places_ * relu6_bytes(wide_) : 0; }
  int64_t depthwise_bytes() const { return out_places_ * relu6_bytes(wide_); }
  // Numbers that both directions use meanwhile, for each picture.
  int64_t scratch() const { return (in_places_ + out_places_) * padded_channels(wide_); }

  // [count, in_size] -> [count, out_size]; bits are written where they are not null
  void forward(const float* in, int64_t count, const BlockBits<uint8_t>& bits, float* scratch,
               float* out) const;
  // gradient [count, out_size] -> [count, in_size], of what came in; without an expansion, of what ReLU6 got
  // to make that
  void backward(const float* gradient, int64_t count, const BlockBits<const uint8_t>& bits, float* scratch,
                float* out) const;

 private:
  // A 1 x 1 convolution and its gradient.
  struct Pointwise {
    ChannelMatrix forward, backward;
    std::vector<float> bias;
  };
  static Pointwise pointwise(const std::vector<float>& weights, const std::vector<float>& bias, int64_t in,
                             int64_t out);

  int64_t in_, wide_, out_, in_places_, out_side_, out_places_;
  bool residual_;
  std::optional<Pointwise> expand_;
  Depthwise depthwise_;
  std::vector<float> depthwise_bias_;
  Pointwise project_;
};

}  // namespace nowhere
