#include "data/synth/finish.h"

#include <array>

namespace nowhere::synth {
namespace {

constexpr int kBlock = 16;  // columns at a time, so that their cache lines stay
constexpr int kLanes = 4;   // three channels and an unused depth, so that a load takes all of a pixel
constexpr int kShades = 4096;
constexpr float kToe = 0.12f;  // spreads the dark end of the table

using Shades = std::array<float, kShades>;
using Lanes = std::array<float, kBlock * kLanes>;

// Highlights roll off towards white; gamma 2; a little contrast. In [0, 255].
float tone(float light) {
  const float rolled = std::min(1.0f, light * (1.0f + light * 0.148f) / (1.0f + light) * 1.28f);
  const float gamma = std::sqrt(rolled);
  return 255.0f * gamma * (0.55f + gamma * (0.9f - 0.45f * gamma));
}

// Indexed by x / (x + kToe), which is cheap and spends its steps where the eye does.
Shades make_shades() {
  Shades shades;
  for (int i = 0; i < kShades; ++i) {
    const float t = std::min(0.995f, (static_cast<float>(i) + 0.5f) / kShades);
    shades[static_cast<size_t>(i)] = tone(kToe * t / (1.0f - t));
  }
  return shades;
}

// The light around a pixel as a slightly soft lens spreads it.
inline void soften(const Pixel& left, const Pixel& right, const Pixel& above, const Pixel& below,
                   const Pixel& middle, float* out) {
  constexpr float kSide = 0.09f;
  constexpr float kMiddle = 1.0f - 4.0f * kSide;
  out[0] =
      kSide * (left.colour.r + right.colour.r + above.colour.r + below.colour.r) + kMiddle * middle.colour.r;
  out[1] =
      kSide * (left.colour.g + right.colour.g + above.colour.g + below.colour.g) + kMiddle * middle.colour.g;
  out[2] =
      kSide * (left.colour.b + right.colour.b + above.colour.b + below.colour.b) + kMiddle * middle.colour.b;
  out[3] = kSide * (left.depth + right.depth + above.depth + below.depth) + kMiddle * middle.depth;
}

void gather(const Canvas& canvas, int block, int y, Lanes& light) {
  const int above = y > 0 ? y - 1 : y;
  const int below = y + 1 < kHeight ? y + 1 : y;
  for (int i = 0; i < kBlock; ++i) {
    const int x = block + i;
    const Pixel* middle = canvas.column(x);
    const Pixel* left = x > 0 ? middle - kHeight : middle;
    const Pixel* right = x + 1 < kWidth ? middle + kHeight : middle;
    soften(left[y], right[y], middle[above], middle[below], middle[y], light.data() + i * kLanes);
  }
}

// Noise of the sensor, drawn once: part common to a pixel's channels, part of their own. Every row starts
// somewhere else in it, so that no pattern repeats in view.
constexpr size_t kNoise = 1u << 16;
using Noise = std::array<int8_t, kNoise>;

Noise make_noise() {
  Noise noise;
  for (size_t i = 0; i < kNoise; i += kLanes) {
    const uint32_t bits = hash32(static_cast<uint32_t>(i) + 1u);
    const int common = static_cast<int>(bits & 127u) - static_cast<int>((bits >> 7) & 127u);
    for (size_t c = 0; c < kLanes; ++c) {
      const int own = static_cast<int>((bits >> (6 * c + 8)) & 127u) - 64;
      noise[i + c] = static_cast<int8_t>(std::clamp((common + own) / 2, -127, 127));
    }
  }
  return noise;
}

}  // namespace

Image develop(const Canvas& canvas, const Finish& finish) {
  static const Shades shades = make_shades();
  static const Noise noise = make_noise();
  constexpr size_t kRow = static_cast<size_t>(kWidth) * kLanes;
  const float strength = finish.noise * (1.0f / 50.0f);
  Image image(kWidth, kHeight);
  Lanes light;
  Lanes vignette;
  std::array<int, kBlock * kLanes> index;
  for (int block = 0; block < kWidth; block += kBlock) {
    for (int i = 0; i < kBlock * kLanes; ++i) {
      const int column = block + i / kLanes;
      vignette[static_cast<size_t>(i)] = 0.16f * square((static_cast<float>(column) - 319.5f) / 320.0f);
    }
    for (int y = 0; y < kHeight; ++y) {
      gather(canvas, block, y, light);
      const size_t row_start = hash32(finish.grain, static_cast<uint32_t>(y)) % (kNoise - kRow);
      const int8_t* grain = noise.data() + row_start / kLanes * kLanes + static_cast<size_t>(block) * kLanes;
      const float edge = 1.0f - 0.10f * square((static_cast<float>(y) - 239.5f) / 240.0f);
      for (size_t i = 0; i < light.size(); ++i) {
        const float x = light[i] * finish.exposure * (edge - vignette[i]);
        index[i] = static_cast<int>(x / (x + kToe) * (kShades - 1));
      }
      uint8_t* out = image.row(y) + block * kChannels;
      for (size_t i = 0; i < light.size(); i += kLanes, out += kChannels) {
        for (size_t c = 0; c < kChannels; ++c) {
          const float value =
              shades[static_cast<size_t>(index[i + c])] + strength * static_cast<float>(grain[i + c]) + 0.5f;
          out[c] = static_cast<uint8_t>(std::min(255.0f, std::max(0.0f, value)));
        }
      }
    }
  }
  return image;
}

}  // namespace nowhere::synth
