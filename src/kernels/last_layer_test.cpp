#include "kernels/last_layer.h"

#include "kernels/test_halving.h"

namespace nowhere {
namespace {

Floats made(const HalvingOperands& in) {
  Floats pictures(in.large.size());
  LastLayer(in.weights, in.shape.channels)
      .make(in.small.data(), in.shape.pictures, in.shape.small_height(), pictures.data());
  return pictures;
}

class LastLayerProduct : public TargetTest {};

TEST_P(LastLayerProduct, IsTheTransposedConvolution) {
  for (const auto& [pictures, side, channels, kernels] : {std::array<int64_t, 4>{1, 1, 1, 1},
                                                          {2, 4, 3, 64},
                                                          {1, 5, 4, 20},
                                                          {3, 32, 3, 16},
                                                          {1, 8, 2, 130},
                                                          {1, 12, LastLayer::kMostChannels, 7}}) {
    const HalvingOperands in({pictures, 2 * side, 2 * side, channels, kernels});
    EXPECT_LT(largest_error(made(in), ExactHalving(in).large), 1e-4) << text_of(in.shape);
  }
}

TEST_P(LastLayerProduct, GivesAPictureTheSameBitsInAnyBatch) {
  const HalvingOperands all({5, 24, 24, 3, 20});
  HalvingOperands last = all;
  last.shape.pictures = 1;
  last.small.erase(last.small.begin(), last.small.end() - last.shape.small_size());
  last.large.resize(static_cast<size_t>(last.shape.large_size()));
  const Floats together = made(all);
  EXPECT_EQ(bits_of(std::span(together).last(last.large.size())), bits_of(made(last)));
}

INSTANTIATE_TEST_SUITE_P(Targets, LastLayerProduct, every_target(), target_name);

}  // namespace
}  // namespace nowhere
