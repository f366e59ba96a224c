#include "data/synth/painters.h"

namespace nowhere::synth {
namespace {

void streak(Canvas& canvas, float x, float y, float length, float slant, Rgb colour, float alpha) {
  for (int i = 0; i < static_cast<int>(length); ++i) {
    const auto at_x = static_cast<int>(x + slant * static_cast<float>(i));
    const int at_y = static_cast<int>(y) + i;
    if (at_x < 0 || at_x >= kWidth || at_y < 0 || at_y >= kHeight) continue;
    Rgb& pixel = canvas.column(at_x)[at_y].colour;
    pixel = mix(pixel, colour, alpha);
  }
}

void flake(Canvas& canvas, float x, float y, float radius, Rgb colour) {
  for (int i = static_cast<int>(x - radius); i <= static_cast<int>(x + radius); ++i) {
    for (int j = static_cast<int>(y - radius); j <= static_cast<int>(y + radius); ++j) {
      if (i < 0 || i >= kWidth || j < 0 || j >= kHeight) continue;
      const float d = square(static_cast<float>(i) - x) + square(static_cast<float>(j) - y);
      Rgb& pixel = canvas.column(i)[j].colour;
      pixel = mix(pixel, colour, 0.55f * clamp01(1.0f - d / (radius * radius)));
    }
  }
}

}  // namespace

void paint_weather(const Scene& scene, int frame, Canvas& canvas) {
  const Light& light = scene.light;
  Random random = scene.drive.random(Drive::Lots::kWeather, frame);
  const Rgb pale = light.horizon * 1.1f + light.ambient * 0.4f;
  if (light.rain > 0) {
    const float slant = uniform(random, -0.12f, 0.12f);
    for (int i = 0; i < static_cast<int>(190.0f * light.rain); ++i) {
      const float x = uniform(random, 0, kWidth);
      const float y = uniform(random, -30, kHeight);
      streak(canvas, x, y, uniform(random, 8, 34), slant, pale, 0.13f);
    }
  }
  if (light.snow > 0) {
    for (int i = 0; i < static_cast<int>(170.0f * light.snow); ++i) {
      const float x = uniform(random, 0, kWidth);
      const float y = uniform(random, 0, kHeight);
      flake(canvas, x, y, 1.2f + 2.2f * square(square(uniform(random, 0, 1))), pale * 1.1f);
    }
  }
}

// The bonnet of the camera's own car, with a little sky on it.
void paint_panel(const Scene& scene, Canvas& canvas) {
  if (!scene.drive.panel) return;
  Random random = scene.drive.random(Drive::Lots::kPanel);
  const float rise = uniform(random, 46, 78);
  const Rgb paint = mix(grey(0.02f), screen(0x6a2024), random.chance(0.3) ? 0.8f : 0.0f);
  const Light& light = scene.light;
  for (int x = 0; x < kWidth; ++x) {
    const float across = (static_cast<float>(x) - 319.5f) / 320.0f;
    const float top = kHeight - rise * (1.0f - 0.42f * across * across - 0.22f * square(across * across));
    Pixel* column = canvas.column(x);
    for (int y = static_cast<int>(top); y < kHeight; ++y) {
      const float down = (static_cast<float>(y) - top) / rise;
      const Rgb shine =
          mix(light.horizon, light.zenith, clamp01(1.3f * down)) * (0.30f - 0.22f * clamp01(1.5f * down));
      const Rgb colour = paint * light.ambient + shine;
      column[y].colour = mix(column[y].colour, colour, clamp01(static_cast<float>(y) + 1.0f - top));
    }
  }
}

}  // namespace nowhere::synth
