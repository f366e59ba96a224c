#include "image/resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "image/kernels.h"

namespace nowhere {
namespace {

constexpr double kSupport = 2.0;  // of the filter, in output pixels to each side

double bicubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

}  // namespace

ResizeWeights bicubic_weights(int input, int output) {
  const double scale = static_cast<double>(input) / output;
  const double stretch = std::max(scale, 1.0);  // widening the filter prevents aliasing
  // The range of the input that an output position depends on: [low, high).
  const auto input_range = [&](int i) {
    const double centre = (i + 0.5) * scale;
    return std::pair(std::max(0, static_cast<int>(centre - kSupport * stretch + 0.5)),
                     std::min(input, static_cast<int>(centre + kSupport * stretch + 0.5)));
  };
  ResizeWeights result;
  for (int i = 0; i < output; ++i)
    result.taps = std::max(result.taps, input_range(i).second - input_range(i).first);
  std::vector<double> row(static_cast<size_t>(result.taps));
  for (int i = 0; i < output; ++i) {
    const auto [low, high] = input_range(i);
    // All taps must be readable, so near the far edge the window starts earlier, with zeros in front.
    const int first = std::min(low, input - result.taps);
    std::fill(row.begin(), row.end(), 0.0);
    double total = 0;
    for (int x = low; x < high; ++x)
      total += row[static_cast<size_t>(x - first)] = bicubic((x + 0.5 - (i + 0.5) * scale) / stretch);
    result.first.push_back(first);
    for (double weight : row) result.weights.push_back(static_cast<float>(weight / total));
  }
  return result;
}

const ResizeWeights& Resizer::weights(int input, int output) {
  // Photographs usually have few sizes; many different ones must not fill the memory.
  constexpr size_t kMaxSizes = 64;
  auto found = weights_.find({input, output});
  if (found != weights_.end()) return found->second;
  if (weights_.size() >= kMaxSizes) weights_.clear();
  return weights_.emplace(std::pair(input, output), bicubic_weights(input, output)).first->second;
}

void Resizer::resize(ImageView source, Box box, int width, int height, bool flip, uint8_t* out) {
  const size_t out_stride = static_cast<size_t>(width) * kChannels;
  const uint8_t* corner = source.row(box.y) + static_cast<size_t>(box.x) * kChannels;
  if (box.width == width && box.height == height) {
    for (int y = 0; y < height; ++y) {
      const uint8_t* row = corner + static_cast<size_t>(y) * source.stride;
      uint8_t* to = out + static_cast<size_t>(y) * out_stride;
      if (flip)
        kernels::mirror_row(row, width, to);
      else
        std::memcpy(to, row, out_stride);
    }
    return;
  }
  weights(box.height, height);  // inserted before references into the table are taken
  const ResizeWeights& across = weights(box.width, width);
  const ResizeWeights& down = weights(box.height, height);
  const size_t count = static_cast<size_t>(box.width) * kChannels;
  line_.resize(count + 1);  // the last pixel is read as four floats
  sums_.resize(out_stride + 1);
  mirror_.resize(out_stride);
  for (int y = 0; y < height; ++y) {
    const auto at = static_cast<size_t>(y);
    kernels::weigh_rows(corner + static_cast<size_t>(down.first[at]) * source.stride, source.stride,
                        &down.weights[at * static_cast<size_t>(down.taps)], down.taps, count, line_.data());
    kernels::weigh_pixels(line_.data(), across.first.data(), across.weights.data(), across.taps, width,
                          sums_.data());
    uint8_t* to = out + at * out_stride;
    kernels::round_to_bytes(sums_.data(), out_stride, flip ? mirror_.data() : to);
    if (flip) kernels::mirror_row(mirror_.data(), width, to);
  }
}

Image Resizer::resize(ImageView source, int width, int height) {
  Image image(width, height);
  resize(source, {0, 0, source.width, source.height}, width, height, false, image.pixels.data());
  return image;
}

std::pair<int, int> fit_short_side(int width, int height, int short_side) {
  const double scale = static_cast<double>(short_side) / std::min(width, height);
  const auto scaled = [scale](int side) { return std::max(1, static_cast<int>(std::lround(side * scale))); };
  return {scaled(width), scaled(height)};
}

}  // namespace nowhere
