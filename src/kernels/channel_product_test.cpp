#include "kernels/channel_product.h"

#include <limits>

#include "kernels/test_convolution.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

struct ProductShape {
  int64_t rows, depth, columns;
};
// No tile fits evenly; fewer rows than one has; the sizes of real networks.
const std::vector<ProductShape> kShapes = {{1, 1, 1},    {3, 5, 7},    {8, 16, 48},    {9, 24, 144},
                                           {17, 33, 80}, {16, 40, 17}, {64, 112, 112}, {5, 144, 24}};

std::vector<int64_t> offsets_of(int64_t taps, int64_t stride) {
  std::vector<int64_t> offsets;
  for (int64_t tap = 0; tap < taps; ++tap) offsets.push_back(tap * stride);
  return offsets;
}

struct ProductCase {
  ProductShape shape;
  int64_t taps, stride = shape.depth + 3, padded = padded_channels(shape.columns);
  std::vector<float> source = test_numbers((shape.rows - 1 + taps - 1) * stride + shape.depth, 1),
                     matrix = test_numbers(taps * shape.depth * shape.columns, 2),
                     bias = test_numbers(shape.columns, 3),
                     added = test_numbers(shape.rows * shape.columns, 4);

  ProductCase(ProductShape of, int64_t with_taps) : shape(of), taps(with_taps) {}

  Exact product() const {
    Exact result;
    for (int64_t row = 0; row < shape.rows; ++row)
      for (int64_t column = 0; column < shape.columns; ++column) {
        double sum = 0;
        for (int64_t tap = 0; tap < taps; ++tap)
          for (int64_t k = 0; k < shape.depth; ++k)
            sum += double{source[(row + tap) * stride + k]} *
                   matrix[(tap * shape.depth + k) * shape.columns + column];
        result.push_back(sum);
      }
    return result;
  }

  std::vector<float> multiplied(const ChannelFinish& finish) const {
    const ChannelMatrix packed(matrix, shape.depth, shape.columns, offsets_of(taps, stride));
    std::vector<float> out(shape.rows * padded);
    packed.multiply({source.data(), stride, shape.rows}, finish, out.data());
    return out;
  }

  std::vector<uint8_t> bits() const {
    return std::vector<uint8_t>(shape.rows * relu6_bytes(shape.columns) + kSpareBitBytes, 0xaa);
  }
};

class ChannelProduct : public TargetTest {};

TEST_P(ChannelProduct, IsTheSumOfProductsAtAllOffsets) {
  for (const ProductShape& shape : kShapes)
    for (const int64_t taps : {1, 3}) {
      const ProductCase product(shape, taps);
      EXPECT_LT(error_of(product.multiplied({}), shape.columns, product.product()), kExactEnough)
          << shape.rows << " x " << shape.depth << " x " << shape.columns;
    }
}

TEST_P(ChannelProduct, BiasIsAddedAndThenAnotherMapAndThenComesRelu6) {
  for (const ProductShape& shape : kShapes) {
    const ProductCase product(shape, 2);
    Exact before = product.product();
    for (size_t i = 0; i < before.size(); ++i)
      before[i] += product.bias[i % shape.columns] + product.added[i];
    const std::vector<float> bias = padded_row(product.bias),
                             added = padded_maps(exact(product.added), shape.columns);
    const ChannelFinish sum{.bias = bias.data(), .added = added.data()};
    EXPECT_LT(error_of(product.multiplied(sum), shape.columns, before), kExactEnough);
    const ChannelFinish active{.bias = bias.data(), .added = added.data(), .relu6 = true};
    EXPECT_LT(error_of(product.multiplied(active), shape.columns, relu6(before)), kExactEnough);
  }
}

TEST_P(ChannelProduct, BitsOfRelu6HoldBackGradientsOutsideOfItsSlope) {
  for (const ProductShape& shape : kShapes) {
    const ProductCase product(shape, 1);
    std::vector<uint8_t> bits = product.bits();
    const std::vector<float> made = product.multiplied({.relu6 = true, .blocked = bits.data()});
    EXPECT_EQ(bits.back(), 0xaa) << "written behind the end";
    // The same product once more stands for a gradient.
    const std::vector<float> plain = product.multiplied({}),
                             held = product.multiplied({.blocked_by = bits.data()});
    for (int64_t row = 0; row < shape.rows; ++row)
      for (int64_t column = 0; column < shape.columns; ++column) {
        const int64_t at = row * product.padded + column;
        EXPECT_EQ(held[at], made[at] > 0 && made[at] < 6 ? plain[at] : 0) << row << " " << column;
      }
  }
}

TEST_P(ChannelProduct, NumbersDoNotDependOnTheRowsAroundThem) {
  const ProductCase product({19, 24, 70}, 1);
  const ChannelMatrix packed(product.matrix, 24, 70);
  const std::vector<float> all = product.multiplied({});
  for (int64_t row = 0; row < 19; ++row) {
    std::vector<float> one(product.padded);
    packed.multiply({product.source.data() + row * product.stride, product.stride, 1}, {}, one.data());
    EXPECT_EQ(bits_of(one), bits_of({all.data() + row * product.padded, one.size()})) << row;
  }
}

TEST_P(ChannelProduct, NotANumberStaysThatAndLetsGradientsThrough) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> one = {1}, columns = {std::nanf(""), kInfinity, -kInfinity, 0, 6, 3};
  const ChannelMatrix packed(columns, 1, 6);
  std::vector<uint8_t> bits(relu6_bytes(6) + kSpareBitBytes);
  std::vector<float> out(kChannelGroup);
  packed.multiply({one.data(), 1, 1}, {.relu6 = true, .blocked = bits.data()}, out.data());
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(std::vector<float>(out.begin() + 1, out.begin() + 6), (std::vector<float>{6, 0, 0, 6, 3}));
  const std::vector<float> ones(6, 1);
  ChannelMatrix(ones, 1, 6).multiply({one.data(), 1, 1}, {.blocked_by = bits.data()}, out.data());
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 6), (std::vector<float>{1, 0, 0, 0, 0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Targets, ChannelProduct, every_target(), target_name);

}  // namespace
}  // namespace nowhere
