#include "kernels/bf16_halving.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>

#include "kernels/test_halving.h"

namespace nowhere {
namespace {

float of_bf16(Bf16 number) {
  return std::bit_cast<float>(static_cast<uint32_t>(number) << 16);
}

Floats rounded_to_bf16(const Floats& numbers) {
  std::vector<Bf16> halves(numbers.size());
  to_bf16(numbers.data(), std::ssize(numbers), halves.data());
  Floats made;
  for (const Bf16 number : halves) made.push_back(of_bf16(number));
  return made;
}

// By the definition. Each sum is one chain over depth, which the sums that it is added to begin.
void multiply_plainly(const Bf16Shape& shape, const Bf16Matrix& left, const Bf16Matrix& right,
                      const Bf16Sums& sums, bool add) {
  for (int64_t row = 0; row < shape.rows; ++row) {
    float* to = sums.first + row * sums.stride;
    if (!add) std::fill_n(to, shape.columns, 0.0f);
    for (int64_t k = 0; k < shape.depth; ++k) {
      const float number = of_bf16(left.first[row * left.stride + k]);
      const Bf16* from = right.first + k / 2 * right.stride * 2 + k % 2;
      for (int64_t column = 0; column < shape.columns; ++column)
        to[column] += number * of_bf16(from[column * 2]);
    }
  }
}

const Bf16Product kPlainProduct{multiply_plainly, {}};

HalvingResults run_bf16(const HalvingOperands& in, const Workers& workers = one_worker(),
                        const Bf16Product& product = kPlainProduct) {
  // What a pass leaves out stays a NaN.
  const auto empty = [](const Floats& like) { return Floats(like.size(), std::nanf("")); };
  HalvingResults out{empty(in.small), empty(in.large), empty(in.weights)};
  bf16_halve(in.shape, in.large.data(), in.weights.data(), out.small.data(), product, workers);
  bf16_double(in.shape, in.small.data(), in.weights.data(), out.large.data(), product, workers);
  bf16_weigh(in.shape, in.large.data(), in.small.data(), out.weights.data(), product, workers);
  return out;
}

bool all_finite(std::span<const float> numbers) {
  return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

// With operands that are rounded beforehand, only the order of the sums is different.
void expect_bf16_exact(const HalvingOperands& in) {
  HalvingOperands rounded = in;
  for (Floats* numbers : {&rounded.large, &rounded.small, &rounded.weights})
    *numbers = rounded_to_bf16(*numbers);
  const ExactHalving exact(rounded);
  constexpr double kMost = 1e-5;
  const HalvingResults out = run_bf16(in);
  EXPECT_TRUE(all_finite(out.small) && all_finite(out.large) && all_finite(out.weights)) << text_of(in.shape);
  EXPECT_LT(largest_error(out.small, exact.small), kMost) << "half, " << text_of(in.shape);
  EXPECT_LT(largest_error(out.large, exact.large), kMost) << "double, " << text_of(in.shape);
  EXPECT_LT(largest_error(out.weights, exact.weights), kMost) << "weights, " << text_of(in.shape);
}

// Sizes that fill blocks, panels and vectors, and sizes that do not; the last ones need several blocks of
// rows, parts of the depth and portions.
const HalvingShape kBf16Shapes[] = {
    {1, 2, 2, 1, 1},   {1, 3, 3, 1, 2},     {1, 8, 8, 16, 16}, {2, 8, 8, 3, 5},     {2, 7, 9, 5, 3},
    {1, 3, 2, 33, 7},  {5, 10, 6, 1, 20},   {1, 9, 17, 65, 2}, {2, 18, 8, 6, 66},   {1, 2, 40, 70, 70},
    {2, 4, 4, 32, 64}, {2, 16, 24, 130, 1}, {33, 8, 9, 9, 3},  {1, 150, 130, 2, 3}, {701, 12, 14, 1, 2},
};

TEST(Bf16Halving, IsTheConvolutionAndItsGradients) {
  for (const HalvingShape& shape : kBf16Shapes) expect_bf16_exact(HalvingOperands(shape));
}

TEST(Bf16Halving, IsTheConvolutionInRandomShapes) {
  Random random(8, Purpose::kSynth);
  for (uint64_t round = 0; round < 40; ++round) {
    const auto size = [&](uint64_t least, uint64_t most) {
      return static_cast<int64_t>(least + random.below(most - least + 1));
    };
    expect_bf16_exact(
        HalvingOperands({size(1, 5), size(2, 15), size(2, 15), size(1, 70), size(1, 70)}, 10 * round));
  }
}

TEST(Bf16Halving, IsExactForZerosForDenormalsAndForLargeNumbers) {
  for (const float scale : {0.0f, 1e-39f, 1e4f}) {
    HalvingOperands in({2, 8, 12, 6, 9});
    for (float& number : in.large) number *= scale;
    for (float& number : in.weights) number *= 1e4f;
    for (size_t i = 0; i < in.small.size(); i += 3) in.small[i] *= scale;
    expect_bf16_exact(in);
  }
}

TEST(Bf16Halving, HasTheSameBitsForAnyNumberOfThreads) {
  for (const HalvingShape& shape : {HalvingShape{20, 12, 8, 70, 66}, HalvingShape{400, 20, 18, 2, 3}}) {
    const HalvingOperands in(shape);
    const HalvingResults alone = run_bf16(in);
    for (const int64_t count : {3, 16}) {
      const HalvingResults shared = run_bf16(in, threads(count));
      EXPECT_EQ(bits_of(shared.small), bits_of(alone.small)) << count << " threads";
      EXPECT_EQ(bits_of(shared.large), bits_of(alone.large)) << count << " threads";
      EXPECT_EQ(bits_of(shared.weights), bits_of(alone.weights)) << count << " threads";
    }
  }
}

// Matrix units sum in an order of their own, which may depend on a product's shape: none may depend on the
// number of workers, and few shapes are to be prepared.
TEST(Bf16Halving, MultipliesTheSameFewShapesForAnyNumberOfThreads) {
  using Called = std::multiset<std::vector<int64_t>>;
  const HalvingOperands in({50, 12, 10, 40, 130});
  const auto called = [&](const Workers& workers) {
    Called shapes;
    std::mutex mutex;
    const Bf16Product product{[&](const Bf16Shape& shape, const Bf16Matrix& left, const Bf16Matrix& right,
                                  const Bf16Sums& sums, bool add) {
                                const std::lock_guard lock(mutex);
                                shapes.insert({shape.rows, shape.columns, shape.depth, left.stride,
                                               right.stride, sums.stride, add});
                                EXPECT_EQ(shape.depth % 2, 0);
                              },
                              {}};
    run_bf16(in, workers, product);
    return shapes;
  };
  const Called alone = called(one_worker());
  EXPECT_EQ(called(threads(3)), alone);
  EXPECT_EQ(called(threads(20)), alone);
  // Of each pass, the full panels and the last one, each for the first product of a sum and for the others.
  // The weights, in one part here, have full blocks of kernels and a last one instead.
  EXPECT_EQ((std::set<std::vector<int64_t>>(alone.begin(), alone.end()).size()), 4u + 4u + 4u);
}

TEST(Bf16Halving, GivesAPictureTheSameBitsBesideAnyOther) {
  HalvingOperands in({5, 8, 9, 10, 20}), other = in;
  const size_t large = in.large.size() / 5, small = in.small.size() / 5;
  const size_t middle = 2;  // others stand before it and after it
  for (size_t i = 0; i < in.large.size(); ++i)
    if (i / large != middle) other.large[i] = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i < in.small.size(); ++i)
    if (i / small != middle) other.small[i] = std::nanf("");
  const HalvingResults one = run_bf16(in), two = run_bf16(other);
  const auto of_middle = [](const Floats& numbers, size_t size) {
    return bits_of(std::span(numbers).subspan(middle * size, size));
  };
  EXPECT_EQ(of_middle(one.small, small), of_middle(two.small, small));
  EXPECT_EQ(of_middle(one.large, large), of_middle(two.large, large));
}

TEST(Bf16Halving, IsNotFiniteWhereItsInputIsNot) {
  const HalvingShape shape{3, 16, 15, 5, 6};
  const size_t large_at = static_cast<size_t>(shape.large_size() / 2),
               small_at = static_cast<size_t>(shape.small_size() / 2),
               weight_at = static_cast<size_t>(shape.weights_size() / 2);
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    HalvingOperands maps(shape), weights(shape);
    maps.large[large_at] = maps.small[small_at] = weights.weights[weight_at] = bad;
    const HalvingResults of_maps = run_bf16(maps), of_weights = run_bf16(weights);
    each_product(shape, [&](size_t l, size_t s, size_t w) {
      EXPECT_FALSE(l == large_at && std::isfinite(of_maps.small[s]));
      EXPECT_FALSE(s == small_at && std::isfinite(of_maps.large[l]));
      EXPECT_FALSE((l == large_at || s == small_at) && std::isfinite(of_maps.weights[w]));
      EXPECT_FALSE(w == weight_at && std::isfinite(of_weights.small[s]));
      EXPECT_FALSE(w == weight_at && std::isfinite(of_weights.large[l]));
    });
  }
}

TEST(Bf16Halving, GivesMatrixUnitsBackOnEveryThread) {
  std::set<std::thread::id> holding;
  std::mutex mutex;
  int64_t released = 0;
  const Bf16Product product{
      [&](const Bf16Shape&, const Bf16Matrix&, const Bf16Matrix&, const Bf16Sums&, bool) {
        const std::lock_guard lock(mutex);
        holding.insert(std::this_thread::get_id());
      },
      [&] {
        const std::lock_guard lock(mutex);
        released += static_cast<int64_t>(holding.erase(std::this_thread::get_id()));
      }};
  run_bf16(HalvingOperands({9, 16, 16, 40, 70}), threads(3), product);
  EXPECT_GE(released, 3);  // in each pass by one thread at least
  EXPECT_TRUE(holding.empty());
}

}  // namespace
}  // namespace nowhere
