// Flat-coloured convex polygons with soft edges, and what they are lit by.
#pragma once

#include <span>

#include "data/synth/scene.h"

namespace nowhere::synth {

// A corner in the camera's plan and its height, in metres.
struct Corner {
  PlanPoint at;
  float height = 0;
};

struct Paint {
  Rgb top;
  Rgb bottom;  // fades from one to the other down the screen
  float alpha = 1;
};

// Fills a convex polygon of up to 16 screen points where nothing nearer than `z` has been drawn.
void fill_polygon(Canvas& canvas, std::span<const ScreenPoint> points, const Paint& paint, float z);

// The same for corners in space: cut off before the camera, and left out when seen from behind (corners run
// clockwise as seen from the front).
void fill_face(Canvas& canvas, const Camera& camera, std::span<const Corner> corners, const Paint& paint,
               float z, bool two_sided = false);

// Light on something upright that stands at a place, without direction.
Rgb standing_light(const Scene& scene, float l, float s, float height);

}  // namespace nowhere::synth
