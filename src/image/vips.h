// libvips, for every format that has no faster path. Nothing else includes its headers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "image/decode.h"
#include "image/encode.h"
#include "image/image.h"

namespace nowhere {

// Decodes a file in `format` to upright 8-bit sRGB; transparent pixels are blended with white.
Result<void> vips_decode(std::span<const uint8_t> bytes, Format format, Image& image);

// `suffix` may have vips' options: ".png[compression=1]". `frames` have one size; more than one make an
// animation.
std::vector<uint8_t> vips_encode(const std::vector<Image>& frames, const std::string& suffix, int frame_ms);

// An animated GIF with one palette for all frames, which does not flicker and is smaller.
std::vector<uint8_t> vips_encode_gif(const FrameSequence& frames, int frame_ms);

// Dark text on white, `height` pixels high.
Image vips_text(const std::string& text, int height);

std::string vips_version_text();
bool vips_has_saver(const char* suffix);

}  // namespace nowhere
