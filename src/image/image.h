// Pictures in memory: always 8-bit sRGB, three interleaved channels, rows from top to bottom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowhere {

constexpr int kChannels = 3;

// Refers to pixels that somebody else owns.
struct ImageView {
  const uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  size_t stride = 0;  // bytes from one row to the next

  const uint8_t* row(int y) const { return data + static_cast<size_t>(y) * stride; }
};

struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;  // [height, width, 3]

  Image() = default;
  Image(int w, int h, uint8_t value = 0)
      : width(w), height(h), pixels(static_cast<size_t>(w) * static_cast<size_t>(h) * kChannels, value) {}

  size_t stride() const { return static_cast<size_t>(width) * kChannels; }
  uint8_t* row(int y) { return pixels.data() + static_cast<size_t>(y) * stride(); }
  const uint8_t* row(int y) const { return pixels.data() + static_cast<size_t>(y) * stride(); }
  ImageView view() const { return {pixels.data(), width, height, stride()}; }
};

// A rectangle in pixels, inside the picture it belongs to.
struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

}  // namespace nowhere
