#include "model/inverted_weights.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

std::vector<float> no_numbers(const std::string&) {
  return {1};
}

Convolution plain(int64_t channels, int64_t kernel, int64_t stride = 1, int64_t groups = 1) {
  return {.channels = channels,
          .kernel = kernel,
          .stride = stride,
          .padding = kernel / 2,
          .groups = groups,
          .bias = true};
}

// A stem, a block without an expansion and one with, which adds what it got.
struct SmallNetwork {
  NetworkDescription network{{3, 16, 16}};
  std::vector<size_t> maps;

  explicit SmallNetwork(Operation second_activation = Relu6(), int64_t kernel = 3) {
    network.add("stem", plain(4, 3, 2));
    network.add("stem_relu", Relu6());
    network.add("a.depthwise", plain(4, 3, 1, 4));
    network.add("a.relu", Relu6());
    maps.push_back(network.add("a.project", plain(5, 1)));
    network.add("b.expand", plain(10, 1));
    network.add("b.relu0", second_activation);
    network.add("b.depthwise", plain(10, kernel, 1, 10));
    network.add("b.relu1", Relu6());
    const size_t project = network.add("b.project", plain(5, 1));
    maps.push_back(network.add("b.sum", Sum(), {project, maps.front()}));
  }
};

TEST(InvertedWeights, AreReadBlockByBlock) {
  const SmallNetwork small;
  const auto weights = inverted_weights(small.network, small.maps, no_numbers);
  ASSERT_TRUE(weights) << weights.error().reason;
  EXPECT_EQ(weights->stem.side, 16);
  EXPECT_EQ(weights->stem.channels, 4);
  ASSERT_EQ(weights->blocks.size(), 2);
  EXPECT_TRUE(weights->blocks[0].expand.empty());
  EXPECT_FALSE(weights->blocks[0].residual);
  EXPECT_EQ(weights->blocks[1].wide, 10);
  EXPECT_EQ(weights->blocks[1].out, 5);
  EXPECT_TRUE(weights->blocks[1].residual);
  EXPECT_EQ(weights->maps, (std::vector<size_t>{0, 1}));
}

std::string reason_of(const SmallNetwork& small) {
  const auto weights = inverted_weights(small.network, small.maps, no_numbers);
  return weights ? "" : weights.error().reason;
}

TEST(InvertedWeights, ALayerThatTheKernelsDoNotMakeIsNamed) {
  EXPECT_NE(reason_of(SmallNetwork(Relu())).find("b.relu0"), std::string::npos);
  EXPECT_NE(reason_of(SmallNetwork(Relu6(), 7)).find("b.depthwise"), std::string::npos);
}

TEST(InvertedWeights, MapsInsideOfABlockAreRefused) {
  SmallNetwork small;
  small.maps.front() += 2;
  EXPECT_NE(reason_of(small).find("whole blocks"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
