#include "kernels/stem.h"

#include <algorithm>

namespace nowhere {
namespace {

constexpr int64_t kStemStride = 2;

float weight_at(const StemShape& shape, std::span<const float> weights, int64_t channel, int64_t colour,
                int64_t y, int64_t x) {
  return weights[static_cast<size_t>(((channel * kColours + colour) * shape.kernel + y) * shape.kernel + x)];
}

int64_t padded_side_of(const StemShape& shape) {
  return (shape.out_side() - 1) * kStemStride + shape.kernel;
}

// A row of a window is kernel * 3 numbers that follow each other: one matrix for each row of the kernel.
ChannelMatrix forward_matrix(const StemShape& shape, std::span<const float> weights) {
  std::vector<float> numbers;
  std::vector<int64_t> offsets;
  for (int64_t y = 0; y < shape.kernel; ++y) {
    offsets.push_back(y * padded_side_of(shape) * kColours);
    for (int64_t x = 0; x < shape.kernel; ++x)
      for (int64_t colour = 0; colour < kColours; ++colour)
        for (int64_t channel = 0; channel < shape.channels; ++channel)
          numbers.push_back(weight_at(shape, weights, channel, colour, y, x));
  }
  return {numbers, shape.kernel * kColours, shape.channels, std::move(offsets)};
}

// Along one axis, tap k of output o reads place 2o + k - padding. So the pair of places 2m and 2m + 1 gets
// its gradient from outputs m + first to m + last.
int64_t first_output(const StemShape& shape) {
  return -((shape.kernel - 1 - shape.padding) / kStemStride);
}
int64_t last_output(const StemShape& shape) {
  return (1 + shape.padding) / kStemStride;
}

// Columns are the four places of a square of two by two, three colours each.
ChannelMatrix backward_matrix(const StemShape& shape, std::span<const float> weights) {
  const int64_t first = first_output(shape), last = last_output(shape),
                line = (shape.out_side() + last - first) * padded_channels(shape.channels);
  std::vector<float> numbers;
  std::vector<int64_t> offsets;
  const auto tap_of = [&](int64_t parity, int64_t output) {
    return parity + shape.padding - kStemStride * output;
  };
  const auto inside = [&](int64_t tap) { return tap >= 0 && tap < shape.kernel; };
  for (int64_t y = first; y <= last; ++y)
    for (int64_t x = first; x <= last; ++x) {
      offsets.push_back((y - first) * line + (x - first) * padded_channels(shape.channels));
      for (int64_t channel = 0; channel < shape.channels; ++channel)
        for (int64_t place = 0; place < kStemStride * kStemStride; ++place)
          for (int64_t colour = 0; colour < kColours; ++colour) {
            const int64_t tap_y = tap_of(place / kStemStride, y), tap_x = tap_of(place % kStemStride, x);
            numbers.push_back(inside(tap_y) && inside(tap_x)
                                  ? weight_at(shape, weights, channel, colour, tap_y, tap_x)
                                  : 0);
          }
    }
  return {numbers, shape.channels, kStemStride * kStemStride * kColours, std::move(offsets)};
}

}  // namespace

Stem::Stem(const StemShape& shape, std::span<const float> weights, std::span<const float> bias)
    : shape_(shape),
      padded_side_(padded_side_of(shape)),
      reach_(last_output(shape) - first_output(shape) + 1),
      first_(first_output(shape)),
      forward_(forward_matrix(shape, weights)),
      backward_(backward_matrix(shape, weights)),
      bias_(padded_row(bias)) {}

int64_t Stem::scratch() const {
  const int64_t wide = shape_.out_side() + reach_ - 1;
  return std::max(padded_side_ * padded_side_ * kColours,
                  wide * wide * padded_channels(shape_.channels) + shape_.out_side() * kChannelGroup);
}

void Stem::forward(const PictureView& picture, uint8_t* blocked, float* scratch, float* out) const {
  const int64_t line = padded_side_ * kColours;
  for (int64_t y = 0; y < padded_side_; ++y) {
    const int64_t from_y = y - shape_.padding;
    float* to = scratch + y * line;
    if (from_y < 0 || from_y >= shape_.side) {
      std::fill_n(to, line, 0.0f);
      continue;
    }
    const int64_t begin = std::min(shape_.padding, padded_side_),
                  end = std::min(shape_.padding + shape_.side, padded_side_);
    std::fill_n(to, begin * kColours, 0.0f);
    std::fill(to + end * kColours, to + line, 0.0f);
    const float* from = picture.first + from_y * picture.row_stride;
    for (int64_t x = begin; x < end; ++x, from += picture.column_stride)
      for (int64_t colour = 0; colour < kColours; ++colour)
        to[x * kColours + colour] = from[colour * picture.colour_stride];
  }
  const int64_t side = shape_.out_side(), padded = padded_channels(shape_.channels);
  for (int64_t y = 0; y < side; ++y) {
    ChannelFinish finish{.bias = bias_.data(), .relu6 = true};
    if (blocked != nullptr) finish.blocked = blocked + y * side * relu6_bytes(shape_.channels);
    forward_.multiply({scratch + y * kStemStride * line, kStemStride * kColours, side}, finish,
                      out + y * side * padded);
  }
}

void Stem::backward(const float* gradient, float* scratch, float* out) const {
  const int64_t side = shape_.out_side(), padded = padded_channels(shape_.channels);
  const int64_t wide = side + reach_ - 1;
  for (int64_t y = 0; y < wide; ++y) {
    const int64_t from_y = y + first_;
    float* to = scratch + y * wide * padded;
    if (from_y < 0 || from_y >= side) {
      std::fill_n(to, wide * padded, 0.0f);
      continue;
    }
    const int64_t begin = std::min(-first_, wide), end = std::min(side - first_, wide);
    std::fill_n(to, begin * padded, 0.0f);
    std::copy_n(gradient + from_y * side * padded, (end - begin) * padded, to + begin * padded);
    std::fill(to + end * padded, to + wide * padded, 0.0f);
  }
  float* squares = scratch + wide * wide * padded;   // [side/2, padded columns], of one line
  constexpr int64_t kPair = kStemStride * kColours;  // two neighbouring places
  for (int64_t y = 0; y < side; ++y) {
    backward_.multiply({scratch + y * wide * padded, padded, side}, {}, squares);
    float* upper = out + y * kStemStride * shape_.side * kColours;
    float* lower = upper + shape_.side * kColours;
    for (int64_t x = 0; x < side; ++x) {
      std::copy_n(squares + x * kChannelGroup, kPair, upper + x * kPair);
      std::copy_n(squares + x * kChannelGroup + kPair, kPair, lower + x * kPair);
    }
  }
}

}  // namespace nowhere
