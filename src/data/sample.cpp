#include "data/sample.h"

#include "image/kernels.h"

namespace nowhere {

SampleMaker::SampleMaker(SampleConfig config, const NormalTable* normal)
    : config_(config),
      normal_(config.noise > 0 ? normal : nullptr),
      pixels_(static_cast<size_t>(config.size) * static_cast<size_t>(config.size) * kChannels) {}

void SampleMaker::cut(const PhotoFrame& frame, Random& random, uint8_t* out) {
  const int side = frame.pixels_of(config_.augment.crop_size.side(frame.short_side, config_.size));
  const Window window = choose_window(frame.view.width, frame.view.height, side, config_.augment, random);
  resizer_.resize(frame.view, window.box, config_.size, config_.size, window.flip, out);
}

void SampleMaker::bytes(const PhotoFrame& frame, SampleDraws draws, uint8_t* out) {
  cut(frame, draws.augment, out);
  if (!normal_) return;
  values_.assign(out, out + pixels_.size());
  normal_->add(draws.noise, static_cast<float>(config_.noise * 255), values_);
  kernels::round_to_bytes(values_.data(), values_.size(), out);
}

void SampleMaker::floats(const PhotoFrame& frame, SampleDraws draws, float* out) {
  cut(frame, draws.augment, pixels_.data());
  kernels::bytes_to_signed_unit(pixels_.data(), pixels_.size(), out);
  // [-1, 1] is twice as wide as [0, 1], and so is the noise.
  if (normal_) normal_->add(draws.noise, static_cast<float>(config_.noise * 2), {out, pixels_.size()});
}

}  // namespace nowhere
