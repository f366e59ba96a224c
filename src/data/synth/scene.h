// All that a frame of a drive is drawn from.
#pragma once

#include "data/synth/street.h"
#include "data/synth/texture.h"

namespace nowhere::synth {

class Scene {
 public:
  // `textures` must outlive the scene.
  Scene(const Textures& pictures, const CityStyle& style, const Drive& route)
      : textures(pictures),
        city(style),
        drive(route),
        light(make_light(style, route)),
        street(make_street(style, route)),
        inverse_sun_l_(1.0f / std::max(0.05f, std::abs(light.sun_l))) {}

  const Textures& textures;
  CityStyle city;
  Drive drive;
  Light light;
  Street street;

  Rgb fade(Rgb colour, float z) const { return mix(colour, light.fog, light.fog_at(z)); }
  // Light of the street lamps at a place, without its height.
  float lamplight(float l, float s) const {
    const StreetCell& cell = street.cell(s);
    const float left = 1.0f / square(1.0f + square((l + street.lamp_l - 1.0f) / 6.0f));
    const float right = 1.0f / square(1.0f + square((l - street.lamp_l + 1.0f) / 6.0f));
    return light.lamps * (cell.lamp[0] * left + cell.lamp[1] * right);
  }
  // 1 in the sun, 0 where the houses keep it off.
  float sunlight(float l, float s, float height) const {
    const int side = light.sun_l > 0 ? 1 : -1;
    if (std::abs(light.sun_l) < 0.05f) return 1.0f;
    const float way = std::max(0.0f, street.front - l * static_cast<float>(side)) * inverse_sun_l_;
    const float over = height + way * light.sun_up - street.roof(side, s + way * light.sun_s);
    return clamp01(0.5f + over / (0.4f + 0.03f * way));
  }

 private:
  float inverse_sun_l_;
};

}  // namespace nowhere::synth
