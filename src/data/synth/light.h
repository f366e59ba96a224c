// The light and the air of a drive.
#pragma once

#include "data/synth/drive.h"

namespace nowhere::synth {

struct Light {
  // Towards the sun: right of the street, along it, up; unit length.
  float sun_l = 0;
  float sun_s = 0;
  float sun_up = 1;
  Rgb sun;      // on a surface that faces it; black when there is none
  Rgb ambient;  // from the sky
  Rgb zenith;
  Rgb horizon;
  Rgb glow;  // the sky around the sun
  Rgb cloud_lit;
  Rgb cloud_dark;
  Rgb fog;                     // what distance fades to
  float fog_density = 0.002f;  // 1/metres
  float cloud_cover = 0.3f;    // 0 none, 1 all
  float cloud_drift = 0;       // offset into the cloud tile
  float wet = 0;
  float snow = 0;
  float rain = 0;
  float lamps = 0;        // 0 off, 1 full; scales lamps, head- and tail-lights
  float lit_windows = 0;  // share
  float exposure = 1;
  float noise = 1.5f;  // of the sensor, in 8-bit steps
  Rgb lamp_colour = {1.0f, 0.72f, 0.40f};

  // Light on an upright wall whose outward normal is (normal_l, normal_s), in the sun or in shadow.
  float facing(float normal_l, float normal_s) const {
    return std::max(0.0f, normal_l * sun_l + normal_s * sun_s);
  }
  float fog_at(float z) const { return 1.0f - std::exp(-fog_density * z); }
};

Light make_light(const CityStyle& city, const Drive& drive);

}  // namespace nowhere::synth
