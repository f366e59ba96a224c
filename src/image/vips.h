// libvips: every format but the hot path's. The only file pair that knows it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "image/decode.h"
#include "image/image.h"

namespace nowhere {

// Upright 8-bit sRGB of a file in `format`; transparency is laid on white.
Result<void> vips_decode(std::span<const uint8_t> bytes, Format format, Image& image);

// `suffix` with vips' options, ".png[compression=1]". `frames` of one size, stacked into an animation when
// more than one.
std::vector<uint8_t> vips_encode(const std::vector<Image>& frames, const std::string& suffix, int frame_ms);

// Animated GIF with one palette for all frames: it does not flicker, and it is smaller.
std::vector<uint8_t> vips_encode_gif(const std::vector<Image>& frames, int frame_ms);

// Dark text on white, `height` pixels high.
Image vips_text(const std::string& text, int height);

std::string vips_version_text();
bool vips_has_saver(const char* suffix);

}  // namespace nowhere
