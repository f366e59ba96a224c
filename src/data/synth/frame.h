// One photograph of a drive. Pure: the same scene and frame give the same picture, without disk or clock.
#pragma once

#include "data/synth/scene.h"
#include "image/image.h"

namespace nowhere::synth {

// 640x480. `canvas` is scratch memory: reused, its contents do not matter.
Image draw_frame(const Scene& scene, int frame, Canvas& canvas);

// The same for one picture on its own; draws the textures and the street anew.
Image draw_frame(const CityStyle& city, const Drive& drive, int frame);

}  // namespace nowhere::synth
