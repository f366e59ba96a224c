#include "data/synth/painters.h"

namespace nowhere::synth {

SkyPainter::SkyPainter(const Scene& scene, const Camera& camera)
    : scene_(scene), camera_(camera), rows_(kHeight) {
  for (int y = 0; y < kHeight; ++y) {
    rows_[static_cast<size_t>(y)] = air((camera.horizon - static_cast<float>(y) - 0.5f) / camera.focal);
  }
}

Rgb SkyPainter::air(float elevation) const {
  const float t = clamp01(elevation / 0.75f);
  return mix(scene_.light.horizon, scene_.light.zenith, 1.0f - square(1.0f - t));
}

void SkyPainter::paint(int x, int end, Pixel* column) const {
  const Light& light = scene_.light;
  const float slope = camera_.slope(x);
  const float dir_l = slope * camera_.cos_yaw + camera_.sin_yaw;
  const float dir_s = camera_.cos_yaw - slope * camera_.sin_yaw;
  const float plan = dir_l * dir_l + dir_s * dir_s;
  const float toward_sun = dir_l * light.sun_l + dir_s * light.sun_s;
  const bool glows = luma(light.glow) > 0.02f && toward_sun > 0;
  const bool clouds = light.cloud_cover > 0.03f;
  const float low = 0.78f - 0.62f * light.cloud_cover;
  const float disc = light.cloud_cover < 0.5f && luma(light.sun) > 0 ? 14.0f : 0.0f;
  for (int y = 0; y < end; ++y) {
    const float up = (camera_.horizon - static_cast<float>(y) - 0.5f) / camera_.focal;
    Rgb colour = rows_[static_cast<size_t>(y)];
    float glow = 0;
    if (glows) {
      const float cosine = (toward_sun + std::max(up, 0.0f) * light.sun_up) / std::sqrt(plan + up * up);
      const float away = std::max(0.0f, 1.0f - cosine);
      glow = square(1.0f / (1.0f + 9.0f * away));
      colour = colour + light.glow * glow + Rgb{1.0f, 0.93f, 0.8f} * (disc / (1.0f + square(away * 2200.0f)));
    }
    if (clouds && up > -0.02f) {
      const float lift = 34.0f / (up + 0.16f);
      const float n = scene_.textures.clouds.smooth(dir_l * lift + light.cloud_drift, dir_s * lift);
      const float cover = smoothstep(low, low + 0.28f, n) * (0.35f + 0.65f * clamp01(up * 6.0f));
      const float lit = clamp01(1.25f - 1.5f * (n - low) + 0.6f * glow);
      colour = mix(colour, mix(light.cloud_dark, light.cloud_lit, lit) + light.glow * (0.3f * glow),
                   cover * 0.92f);
    }
    column[y] = {colour, kSkyDepth};
  }
  paint_skyline(x, end, column);
}

// Far hills and towers, by compass: they do not move as the camera drives.
void SkyPainter::paint_skyline(int x, int end, Pixel* column) const {
  const Light& light = scene_.light;
  const float slope = camera_.slope(x);
  const float bearing =
      std::atan2(slope * camera_.cos_yaw + camera_.sin_yaw, camera_.cos_yaw - slope * camera_.sin_yaw);
  const auto key = static_cast<uint32_t>(scene_.city.index * 977 + scene_.drive.index * 31 + 7);
  const float hill = scene_.textures.clouds.smooth(bearing * 14.0f + static_cast<float>(key % 200u), 3.5f);
  float height = (1.0f - 0.7f * scene_.city.skyline) * 0.11f * std::max(0.0f, hill - 0.3f) + 0.012f;
  for (const float width : {0.09f, 0.055f, 0.035f}) {
    const int block = fast_floor(bearing / width);
    const uint32_t hash = hash32(static_cast<uint32_t>(block), key);
    const float inside = bearing / width - static_cast<float>(block);
    if (unit(hash) < scene_.city.skyline && inside < 0.35f + 0.6f * unit(hash32(hash))) {
      height = std::max(height, 0.015f + 0.075f * scene_.city.skyline * square(unit(hash32(hash, 1u))));
    }
  }
  const Rgb far =
      mix(light.ambient * Rgb{0.28f, 0.34f, 0.36f}, light.fog, 0.62f + 0.38f * light.fog_at(300.0f));
  const float top = camera_.horizon - camera_.focal * height;
  for (int y = std::max(0, static_cast<int>(top)); y < end; ++y) {
    const float cover = clamp01(static_cast<float>(y) + 1.0f - top);
    column[y].colour = mix(column[y].colour, far, cover);
  }
}

}  // namespace nowhere::synth
