#include "data/synth/painters.h"

namespace nowhere::synth {
namespace {

// Light that the lens and the air spread around a lamp.
void add_glow(Canvas& canvas, ScreenPoint at, float radius, Rgb colour) {
  const float reach = std::min(150.0f, 7.0f * radius);
  const int x0 = std::max(0, static_cast<int>(at.x - reach));
  const int x1 = std::min(kWidth - 1, static_cast<int>(at.x + reach));
  const int y0 = std::max(0, static_cast<int>(at.y - reach));
  const int y1 = std::min(kHeight - 1, static_cast<int>(at.y + reach));
  const float inverse = 1.0f / (radius * radius);
  const float floor = 1.0f / square(1.0f + reach * reach * inverse);
  for (int x = x0; x <= x1; ++x) {
    Pixel* column = canvas.column(x);
    const float dx = square(static_cast<float>(x) + 0.5f - at.x) * inverse;
    for (int y = y0; y <= y1; ++y) {
      const float d = dx + square(static_cast<float>(y) + 0.5f - at.y) * inverse;
      const float glow = 1.0f / square(1.0f + d) - floor;
      if (glow > 0) column[y].colour = column[y].colour + colour * glow;
    }
  }
}

bool visible(const Canvas& canvas, ScreenPoint at) {
  if (at.z < 1.0f || at.x < 0 || at.x >= kWidth || at.y < 0 || at.y >= kHeight) return false;
  return canvas.column(static_cast<int>(at.x))[static_cast<int>(at.y)].depth > at.z - 2.8f;
}

}  // namespace

void paint_glows(const Scene& scene, const Camera& camera, int frame, Canvas& canvas) {
  const Light& light = scene.light;
  if (light.lamps <= 0) return;
  // Haze widens the halo.
  const float haze = 1.0f + std::min(1.5f, 60.0f * (light.fog_density - 0.002f));
  const auto strength = [&](float z) { return light.lamps * (1.0f - light.fog_at(0.6f * z)); };
  for (const Prop& prop : scene.street.props) {
    if (prop.kind != PropKind::kLamp || camera.plan(prop.l, prop.s).z < 1.5f) continue;
    ScreenPoint at = camera.project(prop.l, prop.s, prop.height - 0.12f);
    at.x += (prop.l > 0 ? -1.4f : 1.4f) * camera.cos_yaw * camera.focal / at.z;
    if (at.z > 170.0f || !visible(canvas, at)) continue;
    add_glow(canvas, at, haze * (1.5f + 0.38f * camera.focal / at.z),
             light.lamp_colour * (1.5f * strength(at.z)));
  }
  for (const Car& car : scene.street.cars) {
    const float s = car.s + car.speed * static_cast<float>(frame);
    const float z = camera.plan(car.l, s).z;
    if (car.parked || z < 3.0f || z > 170.0f) continue;
    const bool facing = car.heading * camera.cos_yaw < 0;
    const Rgb colour = facing ? Rgb{1.0f, 0.93f, 0.78f} * 1.5f : Rgb{1.0f, 0.06f, 0.04f} * 0.75f;
    const float size = facing ? 0.30f : 0.17f;
    for (const float side : {-0.68f, 0.68f}) {
      const ScreenPoint at = camera.project(car.l + side, s - (camera.cos_yaw > 0 ? 2.2f : -2.2f), 0.75f);
      if (visible(canvas, at))
        add_glow(canvas, at, haze * (1.0f + size * camera.focal / at.z), colour * strength(at.z));
    }
  }
}

// A wet street mirrors what stands above the foot of each column, smeared downwards by ripples.
void paint_reflections(const Scene& scene, const Camera& camera, Canvas& canvas) {
  if (scene.light.wet <= 0) return;
  for (int x = 0; x < kWidth; ++x) {
    Pixel* column = canvas.column(x);
    const float base = std::max(canvas.base(x), camera.horizon);
    const int first = std::max(0, static_cast<int>(base) + 1);
    Rgb smeared = column[std::min(first, kHeight - 1)].colour;
    for (int y = first; y < kHeight; ++y) {
      const int mirror = std::max(0, 2 * static_cast<int>(base) - y);
      smeared = mix(smeared, column[mirror].colour, 0.07f);
      if (column[y].depth < kGroundDepth) continue;
      const float below = static_cast<float>(y) - camera.horizon;
      const float puddle = scene.textures.clouds.nearest(static_cast<float>(x) * 0.13f,
                                                         2200.0f / below + 40.0f * camera.s / 100.0f);
      const float fresnel =
          scene.light.wet * (0.10f + 0.55f / (1.0f + below * 0.014f)) * (0.30f + 1.0f * puddle);
      column[y].colour = mix(column[y].colour, smeared * 0.92f, std::min(0.85f, fresnel));
    }
  }
}

}  // namespace nowhere::synth
