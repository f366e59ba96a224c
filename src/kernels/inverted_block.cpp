#include "kernels/inverted_block.h"

#include <utility>

namespace nowhere {

InvertedBlock::Pointwise InvertedBlock::pointwise(const std::vector<float>& weights,
                                                  const std::vector<float>& bias, int64_t in, int64_t out) {
  std::vector<float> transposed(weights.size());  // [in, out]
  for (int64_t o = 0; o < out; ++o)
    for (int64_t i = 0; i < in; ++i)
      transposed[static_cast<size_t>(i * out + o)] = weights[static_cast<size_t>(o * in + i)];
  return {ChannelMatrix(transposed, in, out), ChannelMatrix(weights, out, in), padded_row(bias)};
}

InvertedBlock::InvertedBlock(const InvertedBlockWeights& weights)
    : in_(weights.in),
      wide_(weights.wide),
      out_(weights.out),
      in_places_(weights.depthwise.side * weights.depthwise.side),
      out_side_(weights.depthwise.out_side),
      out_places_(out_side_ * out_side_),
      residual_(weights.residual),
      depthwise_(weights.depthwise, weights.depthwise_weights),
      depthwise_bias_(padded_row(weights.depthwise_bias)),
      project_(pointwise(weights.project, weights.project_bias, weights.wide, weights.out)) {
  if (!weights.expand.empty())
    expand_ = pointwise(weights.expand, weights.expand_bias, weights.in, weights.wide);
}

void InvertedBlock::forward(const float* in, int64_t count, const BlockBits<uint8_t>& bits, float* scratch,
                            float* out) const {
  const int64_t padded = padded_channels(wide_), in_wide = in_places_ * padded,
                out_wide = out_places_ * padded;
  float *widened = scratch, *convolved = scratch + count * in_wide;
  if (expand_)
    expand_->forward.multiply({in, padded_channels(in_), count * in_places_},
                              {.bias = expand_->bias.data(), .relu6 = true, .blocked = bits.expand}, widened);
  const float* wide = expand_ ? widened : in;
  for (int64_t i = 0; i < count; ++i) {
    ChannelFinish finish{.bias = depthwise_bias_.data(), .relu6 = true};
    if (bits.depthwise != nullptr) finish.blocked = bits.depthwise + i * depthwise_bytes();
    depthwise_.forward(wide + i * in_wide, finish, convolved + i * out_wide);
  }
  project_.forward.multiply({convolved, padded, count * out_places_},
                            {.bias = project_.bias.data(), .added = residual_ ? in : nullptr}, out);
}

void InvertedBlock::backward(const float* gradient, int64_t count, const BlockBits<const uint8_t>& bits,
                             float* scratch, float* out) const {
  const int64_t padded = padded_channels(wide_), in_wide = in_places_ * padded,
                out_wide = out_places_ * padded;
  float *widened = expand_ ? scratch : out, *convolved = scratch + count * in_wide;
  project_.backward.multiply({gradient, padded_channels(out_), count * out_places_},
                             {.blocked_by = bits.depthwise}, convolved);
  const int64_t bytes = in_places_ * relu6_bytes(wide_);
  for (int64_t i = 0; i < count; ++i)
    depthwise_.backward(convolved + i * out_wide, {.blocked_by = bits.expand + i * bytes},
                        widened + i * in_wide);
  if (expand_)
    expand_->backward.multiply({widened, padded, count * in_places_},
                               {.added = residual_ ? gradient : nullptr}, out);
}

}  // namespace nowhere
