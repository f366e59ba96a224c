#include "kernels/normalisation.h"

#include <algorithm>
#include <vector>

// Highway compiles this file once per instruction set; the includes and their order are its protocol.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/normalisation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowhere::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Numbers = hn::Vec<Lanes>;
constexpr int64_t kLanes = hn::MaxLanes(Lanes());

// `count` numbers, fewer than a vector has only at the end of a row.
HWY_INLINE Numbers Load(const float* from, int64_t count) {
  if (count >= kLanes) return hn::LoadU(Lanes(), from);
  float numbers[kLanes] = {};
  std::copy_n(from, count, numbers);
  return hn::LoadU(Lanes(), numbers);
}

HWY_INLINE void Store(Numbers numbers, float* to, int64_t count) {
  if (count >= kLanes) return hn::StoreU(numbers, Lanes(), to);
  float all[kLanes];
  hn::StoreU(numbers, Lanes(), all);
  std::copy_n(all, count, to);
}

// The gradient before the activation.
HWY_INLINE Numbers Before(Numbers gradient, Numbers centred, Numbers scale, Numbers bias, Numbers slope) {
  const auto below = hn::Lt(hn::MulAdd(centred, scale, bias), hn::Zero(Lanes()));
  return hn::IfThenElse(below, hn::Mul(gradient, slope), gradient);
}

// Sums over some rows of x - origin and of its square; the origin is the first row.
void SumSquares(const RowsShape& part, const float* maps, float* sums, float* squares) {
  for (int64_t c = 0; c < part.channels; c += kLanes) {
    const int64_t count = part.channels - c;
    const Numbers origin = Load(maps + c, count);
    Numbers sum = hn::Zero(Lanes()), square = sum;
    const float* at = maps + c;
    for (int64_t row = 0; row < part.rows; ++row, at += part.channels) {
      const Numbers x = hn::Sub(Load(at, count), origin);
      sum = hn::Add(sum, x);
      square = hn::MulAdd(x, x, square);
    }
    Store(sum, sums + c, count);
    Store(square, squares + c, count);
  }
}

void Normalise(const RowsShape& part, const float* maps, const Normalisation& by, float* result) {
  const Numbers slope = hn::Set(Lanes(), by.slope);
  for (int64_t row = 0; row < part.rows; ++row, maps += part.channels, result += part.channels)
    for (int64_t c = 0; c < part.channels; c += kLanes) {
      const int64_t count = part.channels - c;
      const Numbers centred = hn::Sub(Load(maps + c, count), Load(by.mean.data() + c, count));
      const Numbers v =
          hn::MulAdd(centred, Load(by.scale.data() + c, count), Load(by.bias.data() + c, count));
      Store(hn::IfThenElse(hn::Lt(v, hn::Zero(Lanes())), hn::Mul(v, slope), v), result + c, count);
    }
}

void SumGradients(const RowsShape& part, const float* maps, const float* gradient, const Normalisation& by,
                  float* sums, float* products) {
  const Numbers slope = hn::Set(Lanes(), by.slope);
  for (int64_t c = 0; c < part.channels; c += kLanes) {
    const int64_t count = part.channels - c;
    const Numbers mean = Load(by.mean.data() + c, count), scale = Load(by.scale.data() + c, count),
                  bias = Load(by.bias.data() + c, count);
    Numbers sum = hn::Zero(Lanes()), product = sum;
    for (int64_t row = 0; row < part.rows; ++row) {
      const int64_t at = row * part.channels + c;
      const Numbers centred = hn::Sub(Load(maps + at, count), mean);
      const Numbers g = Before(Load(gradient + at, count), centred, scale, bias, slope);
      sum = hn::Add(sum, g);
      product = hn::MulAdd(g, centred, product);
    }
    Store(sum, sums + c, count);
    Store(product, products + c, count);
  }
}

void GradientToRows(const RowsShape& part, const float* maps, const float* gradient, const Normalisation& by,
                    const float* slant, const float* shift, float* result) {
  const Numbers slope = hn::Set(Lanes(), by.slope);
  for (int64_t row = 0; row < part.rows; ++row)
    for (int64_t c = 0; c < part.channels; c += kLanes) {
      const int64_t count = part.channels - c, at = row * part.channels + c;
      const Numbers centred = hn::Sub(Load(maps + at, count), Load(by.mean.data() + c, count));
      const Numbers scale = Load(by.scale.data() + c, count);
      const Numbers g =
          Before(Load(gradient + at, count), centred, scale, Load(by.bias.data() + c, count), slope);
      const Numbers rest = hn::MulAdd(centred, Load(slant + c, count), Load(shift + c, count));
      Store(hn::MulAdd(g, scale, rest), result + at, count);
    }
}

}  // namespace nowhere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowhere {
namespace {

HWY_EXPORT(SumSquares);
HWY_EXPORT(Normalise);
HWY_EXPORT(SumGradients);
HWY_EXPORT(GradientToRows);

constexpr int64_t kRowsOfPart = 256;  // few enough for sums of floats

int64_t parts_of(const RowsShape& shape) {
  return (shape.rows + kRowsOfPart - 1) / kRowsOfPart;
}

// Calls work(part, index of its first number, its shape).
template <class Work>
void each_part(const RowsShape& shape, const Workers& workers, const Work& work) {
  workers.run(parts_of(shape), [&](int64_t part, int64_t) {
    const int64_t first = part * kRowsOfPart;
    work(part, first * shape.channels, RowsShape{std::min(kRowsOfPart, shape.rows - first), shape.channels});
  });
}

// Two sums of every part.
struct PartSums {
  explicit PartSums(const RowsShape& shape)
      : channels(shape.channels), numbers(static_cast<size_t>(parts_of(shape) * 2 * channels)) {}

  float* first(int64_t part) { return numbers.data() + part * 2 * channels; }
  float* second(int64_t part) { return first(part) + channels; }

  int64_t channels;
  std::vector<float> numbers;
};

}  // namespace

void measure_rows(const RowsShape& shape, const float* maps, std::span<float> mean, std::span<float> variance,
                  const Workers& workers) {
  PartSums sums(shape);
  each_part(shape, workers, [&](int64_t part, int64_t begin, const RowsShape& rows) {
    HWY_DYNAMIC_DISPATCH(SumSquares)(rows, maps + begin, sums.first(part), sums.second(part));
  });
  for (int64_t c = 0; c < shape.channels; ++c) {
    // The mean and the squared deviations from it, of the parts so far.
    double count = 0, middle = 0, squares = 0;
    for (int64_t part = 0; part < parts_of(shape); ++part) {
      const double rows = static_cast<double>(std::min(kRowsOfPart, shape.rows - part * kRowsOfPart));
      const double sum = sums.first(part)[c], origin = maps[part * kRowsOfPart * shape.channels + c];
      const double distance = origin + sum / rows - middle;
      squares +=
          sums.second(part)[c] - sum * sum / rows + distance * distance * count * rows / (count + rows);
      count += rows;
      middle += distance * rows / count;
    }
    mean[static_cast<size_t>(c)] = static_cast<float>(middle);
    // A difference of sums may end up below 0; NaN stays.
    variance[static_cast<size_t>(c)] = static_cast<float>(squares < 0 ? 0 : squares / count);
  }
}

void normalise_rows(const RowsShape& shape, const float* maps, const Normalisation& by, float* result,
                    const Workers& workers) {
  each_part(shape, workers, [&](int64_t, int64_t begin, const RowsShape& rows) {
    HWY_DYNAMIC_DISPATCH(Normalise)(rows, maps + begin, by, result + begin);
  });
}

void sum_gradients(const RowsShape& shape, const float* maps, const float* gradient, const Normalisation& by,
                   std::span<float> sum, std::span<float> sum_of_products, const Workers& workers) {
  PartSums sums(shape);
  each_part(shape, workers, [&](int64_t part, int64_t begin, const RowsShape& rows) {
    HWY_DYNAMIC_DISPATCH(SumGradients)
    (rows, maps + begin, gradient + begin, by, sums.first(part), sums.second(part));
  });
  for (int64_t c = 0; c < shape.channels; ++c) {
    double first = 0, second = 0;
    for (int64_t part = 0; part < parts_of(shape); ++part) {
      first += sums.first(part)[c];
      second += sums.second(part)[c];
    }
    sum[static_cast<size_t>(c)] = static_cast<float>(first);
    sum_of_products[static_cast<size_t>(c)] = static_cast<float>(second);
  }
}

void gradient_to_rows(const RowsShape& shape, const float* maps, const float* gradient,
                      const Normalisation& by, std::span<const float> slant, std::span<const float> shift,
                      float* result, const Workers& workers) {
  each_part(shape, workers, [&](int64_t, int64_t begin, const RowsShape& rows) {
    HWY_DYNAMIC_DISPATCH(GradientToRows)
    (rows, maps + begin, gradient + begin, by, slant.data(), shift.data(), result + begin);
  });
}

}  // namespace nowhere
#endif
