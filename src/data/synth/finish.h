// The lens, the film and the sensor: from light to bytes.
#pragma once

#include "data/synth/canvas.h"
#include "image/image.h"

namespace nowhere::synth {

struct Finish {
  float exposure = 1;
  float noise = 1.5f;  // of the sensor, in 8-bit steps
  uint32_t grain = 0;  // which noise
};

Image develop(const Canvas& canvas, const Finish& finish);

}  // namespace nowhere::synth
