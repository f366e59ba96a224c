#include "data/synth/painters.h"

namespace nowhere::synth {

void paint_roof(const Scene& scene, const Camera& camera, const WallColumn& wall, int begin, int end,
                Pixel* column) {
  const Light& light = scene.light;
  const Lot& lot = *wall.lot;
  const float fog = light.fog_at(wall.z);
  const float dv = wall.z / camera.focal;
  const Footprint metres(dv);
  const Footprint courses(dv * 2.2f);
  const float dormers = pulse_cover(wall.u / lot.cell - 0.3f, Footprint(wall.du / lot.cell), 0.4f);
  const float sun =
      clamp01(0.6f * light.sun_up + 0.6f * (wall.normal_l * light.sun_l + wall.normal_s * light.sun_s));
  const Rgb base = mix(lot.roof_colour, Rgb{0.8f, 0.84f, 0.9f}, 0.9f * light.snow);
  const Rgb lit = light.ambient * 1.05f + light.sun * sun;
  for (int y = begin; y < end; ++y) {
    const float v = camera.height - (static_cast<float>(y) + 0.5f - camera.horizon) * dv;
    const float tiles = pulse_cover(v * 2.2f, courses, 0.5f);
    Rgb colour = base * lit * (0.86f + 0.2f * tiles);
    if (lot.roof == Roof::kMansard) {
      const float dormer = dormers * interval_cover(v, metres, lot.height + 0.6f, lot.height + 2.1f);
      colour = mix(colour, light.zenith * 0.3f + grey(0.9f * light.lit_windows), 0.8f * dormer);
    }
    column[y] = {mix(colour, light.fog, fog), wall.z};
  }
}

}  // namespace nowhere::synth
