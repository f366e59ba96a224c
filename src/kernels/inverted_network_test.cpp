#include "kernels/inverted_network.h"

#include <cmath>

#include "core/parallel.h"
#include "kernels/test_convolution.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

struct BlockPlan {
  int64_t wide, out, kernel, stride;
};
// Blocks that halve and blocks that add, odd numbers of channels, kernels of 3 and 5.
const std::vector<BlockPlan> kPlan = {{5, 3, 3, 1},  {18, 7, 3, 2},  {14, 7, 3, 1}, {21, 9, 5, 2},
                                      {20, 9, 5, 1}, {27, 17, 3, 2}, {34, 17, 5, 1}};
const std::vector<size_t> kMaps = {2, 4, 6};

std::vector<float> scaled_numbers(int64_t count, double scale, uint64_t seed) {
  std::vector<float> numbers = test_numbers(count, seed);
  for (float& number : numbers) number *= static_cast<float>(scale);
  return numbers;
}

InvertedNetworkWeights network_weights(int64_t side) {
  InvertedNetworkWeights network;
  uint64_t seed = 1;
  const auto weights = [&](int64_t count, int64_t sum) {
    return scaled_numbers(count, 1.5 / std::sqrt(static_cast<double>(sum)), ++seed);
  };
  network.stem = {side, kPlan.front().wide, 3, 0};
  network.stem_weights = weights(network.stem.channels * 27, 27);
  network.stem_bias = weights(network.stem.channels, 1);
  int64_t in = network.stem.channels, here = side / 2;
  for (const auto& [wide, out, kernel, stride] : kPlan) {
    InvertedBlockWeights block{.in = in, .wide = wide, .out = out};
    if (!network.blocks.empty()) {
      block.expand = weights(wide * in, in);
      block.expand_bias = weights(wide, 1);
    }
    const int64_t after = (here + stride - 1) / stride;
    const int64_t padding = std::max<int64_t>(0, (after - 1) * stride + kernel - here) / 2;
    block.depthwise = {wide, kernel, stride, padding, here, after};
    block.depthwise_weights = weights(wide * kernel * kernel, kernel * kernel);
    block.depthwise_bias = weights(wide, 1);
    block.project = weights(out * wide, wide);
    block.project_bias = weights(out, 1);
    block.residual = stride == 1 && in == out;
    network.blocks.push_back(block);
    in = out;
    here = after;
  }
  network.maps = kMaps;
  return network;
}

// The network as its definition has it. What forward remembers of one picture is for backward.
class ExactNetwork {
 public:
  explicit ExactNetwork(const InvertedNetworkWeights& weights) : weights_(weights) {
    const StemShape& stem = weights.stem;
    stem_ = {.in = kColours,
             .out = stem.channels,
             .kernel = stem.kernel,
             .stride = 2,
             .padding = stem.padding,
             .side = stem.side,
             .out_side = stem.out_side(),
             .weights = weights.stem_weights,
             .bias = weights.stem_bias};
  }

  std::vector<Exact> forward(const Exact& picture) {
    std::vector<Exact> maps;
    before_ = {stem_.forward(picture)};
    Exact x = relu6(before_.back());
    for (size_t i = 0; i < weights_.blocks.size(); ++i) {
      const InvertedBlockWeights& block = weights_.blocks[i];
      Exact y = x;
      if (!block.expand.empty()) y = activated(expand_of(block).forward(y));
      y = activated(depthwise_of(block).forward(y));
      y = project_of(block).forward(y);
      if (block.residual)
        for (size_t k = 0; k < y.size(); ++k) y[k] += x[k];
      x = y;
      if (std::ranges::count(weights_.maps, i) != 0) maps.push_back(x);
    }
    return maps;
  }

  Exact backward(const std::vector<Exact>& gradients) {
    Exact gradient(gradients.back().size());
    size_t map = gradients.size();
    for (size_t i = weights_.blocks.size(); i-- > 0;) {
      const InvertedBlockWeights& block = weights_.blocks[i];
      if (std::ranges::count(weights_.maps, i) != 0) add(gradient, gradients[--map]);
      Exact y = held_back(project_of(block).backward(gradient));
      y = held_back(depthwise_of(block).backward(y));
      if (!block.expand.empty()) y = expand_of(block).backward(y);
      if (block.residual) add(y, gradient);
      gradient = y;
    }
    return stem_.backward(gradient);
  }

 private:
  static void add(Exact& to, const Exact& numbers) {
    for (size_t i = 0; i < to.size(); ++i) to[i] += numbers[i];
  }
  Exact activated(Exact numbers) {
    before_.push_back(numbers);
    return relu6(std::move(numbers));
  }
  Exact held_back(Exact gradient) {
    Exact held = relu6_gradient(std::move(gradient), before_.back());
    before_.pop_back();
    return held;
  }

  static ExactConvolution expand_of(const InvertedBlockWeights& block) {
    const int64_t side = block.depthwise.side;
    return {.in = block.in,
            .out = block.wide,
            .side = side,
            .out_side = side,
            .weights = block.expand,
            .bias = block.expand_bias};
  }
  static ExactConvolution depthwise_of(const InvertedBlockWeights& block) {
    const DepthwiseShape& shape = block.depthwise;
    return {.in = block.wide,
            .out = block.wide,
            .kernel = shape.kernel,
            .stride = shape.stride,
            .padding = shape.padding,
            .side = shape.side,
            .out_side = shape.out_side,
            .depthwise = true,
            .weights = block.depthwise_weights,
            .bias = block.depthwise_bias};
  }
  static ExactConvolution project_of(const InvertedBlockWeights& block) {
    const int64_t side = block.depthwise.out_side;
    return {.in = block.wide,
            .out = block.out,
            .side = side,
            .out_side = side,
            .weights = block.project,
            .bias = block.project_bias};
  }

  const InvertedNetworkWeights& weights_;
  ExactConvolution stem_;
  std::vector<Exact> before_;  // what went into each ReLU6, in order
};

// A batch with maps and gradients, by our network.
struct Batch {
  const InvertedNetworkWeights& weights;
  int64_t side, count;
  InvertedNetwork network{weights};
  std::vector<float> pictures = test_numbers(count * side * side * kColours, 100);
  std::vector<std::vector<float>> maps, gradients;
  std::vector<float> back = std::vector<float>(pictures.size());
  std::vector<uint8_t> bits = std::vector<uint8_t>(static_cast<size_t>(network.bit_bytes(count)));

  Batch(const InvertedNetworkWeights& of, int64_t many) : weights(of), side(of.stem.side), count(many) {
    for (const size_t map : weights.maps) {
      const InvertedBlockWeights& block = weights.blocks[map];
      const int64_t places = block.depthwise.out_side * block.depthwise.out_side;
      maps.emplace_back(count * places * block.out);
      gradients.push_back(test_numbers(count * places * block.out, 200 + map));
    }
  }

  void run(PictureRange range) {
    std::vector<float*> out;
    for (auto& map : maps) out.push_back(map.data());
    const int64_t size = side * side * kColours;
    network.forward({{pictures.data(), 1, side * kColours, kColours}, size, count}, range, out, bits.data());
    std::vector<MapGradient> in;
    for (size_t i = 0; i < gradients.size(); ++i) {
      const InvertedBlockWeights& block = weights.blocks[weights.maps[i]];
      const int64_t here = block.depthwise.out_side;
      in.push_back({gradients[i].data(), here * here * block.out, 1, here * block.out, block.out});
    }
    network.backward(in, bits.data(), count, range, back.data());
  }

  static Exact of_picture(const std::vector<float>& numbers, int64_t picture, int64_t count) {
    const size_t size = numbers.size() / static_cast<size_t>(count);
    return exact({numbers.data() + picture * static_cast<int64_t>(size), size});
  }
};

class InvertedNetworkTest : public TargetTest {};

// Where all maps are large, where pictures meet on the way, and where they go together from the beginning.
TEST_P(InvertedNetworkTest, MapsAndGradientsAreThoseOfTheDefinition) {
  for (const int64_t side : {8, 16, 32, 160}) {
    const int64_t count = side > 100 ? 1 : 6;
    const InvertedNetworkWeights weights = network_weights(side);
    Batch batch(weights, count);
    batch.run({0, count});
    ExactNetwork reference(weights);
    for (int64_t picture = 0; picture < count; ++picture) {
      const std::vector<Exact> maps = reference.forward(Batch::of_picture(batch.pictures, picture, count));
      std::vector<Exact> gradients;
      for (size_t i = 0; i < maps.size(); ++i) {
        const size_t size = maps[i].size();
        EXPECT_LT(error_of({batch.maps[i].data() + picture * size, size}, 1, maps[i]), kExactEnough)
            << side << " px, map " << i;
        gradients.push_back(Batch::of_picture(batch.gradients[i], picture, count));
      }
      const Exact back = reference.backward(gradients);
      EXPECT_LT(error_of({batch.back.data() + picture * back.size(), back.size()}, 1, back), kExactEnough)
          << side << " px, picture " << picture;
    }
  }
}

TEST_P(InvertedNetworkTest, BitsAreTheSameHoweverABatchIsDivided) {
  constexpr int64_t kCount = 11;
  const InvertedNetworkWeights weights = network_weights(32);
  Batch whole(weights, kCount), divided(weights, kCount);
  whole.run({0, kCount});
  parallel_for(3, 3, [&](size_t part) {
    const auto i = static_cast<int64_t>(part);
    divided.run({i * kCount / 3, (i + 1) * kCount / 3});
  });
  EXPECT_EQ(bits_of(whole.back), bits_of(divided.back));
  for (size_t i = 0; i < whole.maps.size(); ++i) EXPECT_EQ(bits_of(whole.maps[i]), bits_of(divided.maps[i]));
}

TEST_P(InvertedNetworkTest, APictureThatIsNoNumberSpoilsNoOther) {
  const InvertedNetworkWeights weights = network_weights(32);
  Batch good(weights, 3), bad(weights, 3);
  good.run({0, 3});
  const size_t size = bad.pictures.size() / 3;
  std::fill_n(bad.pictures.begin() + static_cast<int64_t>(size), size, std::nanf(""));
  bad.run({0, 3});
  for (const int64_t picture : {0, 2})
    EXPECT_EQ(Batch::of_picture(good.back, picture, 3), Batch::of_picture(bad.back, picture, 3));
  for (const double number : Batch::of_picture(bad.maps[0], 1, 3)) EXPECT_TRUE(std::isnan(number));
}

TEST_P(InvertedNetworkTest, AMapWithoutAGradientAddsNothing) {
  const InvertedNetworkWeights weights = network_weights(16);
  Batch zero(weights, 2), none(weights, 2);
  std::ranges::fill(zero.gradients[1], 0.0f);
  zero.run({0, 2});
  none.run({0, 2});
  std::vector<MapGradient> gradients(3);
  for (const size_t i : {0, 2}) {
    const InvertedBlockWeights& block = weights.blocks[weights.maps[i]];
    const int64_t here = block.depthwise.out_side;
    gradients[i] = {none.gradients[i].data(), here * here * block.out, 1, here * block.out, block.out};
  }
  none.network.backward(gradients, none.bits.data(), 2, {0, 2}, none.back.data());
  EXPECT_EQ(zero.back, none.back);
}

INSTANTIATE_TEST_SUITE_P(Targets, InvertedNetworkTest, every_target(), target_name);

}  // namespace
}  // namespace nowhere
