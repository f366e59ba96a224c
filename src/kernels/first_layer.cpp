#include "kernels/first_layer.h"

#include <algorithm>

namespace nowhere {
namespace {

constexpr int64_t kPlaces = FirstLayer::kSide * FirstLayer::kSide;

}  // namespace

FirstLayer::FirstLayer(std::span<const float> weights, std::span<const float> bias)
    : in_(std::ssize(weights) / kPlaces / std::ssize(bias)),
      panels_{std::ssize(bias)},
      bias_(bias.begin(), bias.end()),
      numbers_(new_buffer(kPlaces * in_ * padded(out()))) {
  float* to = numbers_.get();
  for (int64_t place = 0; place < kPlaces; ++place)
    for (int64_t panel = 0; panel < panels_.count(); ++panel)
      for (int64_t row = 0; row < in_; ++row) {
        const float* from = weights.data() + (row * kPlaces + place) * out() + panel * kBlock;
        to = std::copy_n(from, panels_.size(panel), to);
        to = std::fill_n(to, panels_.width(panel) - panels_.size(panel), 0.0f);
      }
}

void FirstLayer::make(const float* vectors, int64_t count, float* maps, const Workers& workers) const {
  const Buffer sums = new_buffer(workers.count * count * kBlock);
  workers.run(kPlaces * panels_.count(), [&](int64_t job, int64_t worker) {
    const int64_t place = job / panels_.count(), panel = job % panels_.count(), width = panels_.width(panel);
    float* own = sums.get() + worker * count * kBlock;
    multiply_block({vectors, in_, 1}, panel_at(place, panel), {count, in_, width}, false, own);
    const float* bias = bias_.data() + panel * kBlock;
    for (int64_t i = 0; i < count; ++i, own += width) {
      float* to = maps + (i * kPlaces + place) * out() + panel * kBlock;
      for (int64_t c = 0; c < panels_.size(panel); ++c) to[c] = std::max(own[c] + bias[c], 0.0f);
    }
  });
}

const float* FirstLayer::panel_at(int64_t place, int64_t panel) const {
  return numbers_.get() + (place * padded(out()) + panel * kBlock) * in_;
}

}  // namespace nowhere
