// Street coordinates and the camera that drives through them.
//
// A point of the world is (l, s, height) in metres: `s` along the street, `l` to the right of its axis. The
// street bends: seen from the camera its axis is the parabola l = bend/2 * ds^2. The camera never rolls and
// tilts by moving the horizon, so that verticals stay vertical and a column of pixels is one ray of the plan.
#pragma once

#include "data/synth/canvas.h"

namespace nowhere::synth {

struct PlanPoint {  // in the camera's plan: x to the right, z ahead
  float x = 0;
  float z = 0;
};

struct ScreenPoint {
  float x = 0;
  float y = 0;
  float z = 0;
};

struct Camera {
  float l = 0;
  float s = 0;
  float height = 1.6f;
  float focal = 420.0f;    // pixels
  float horizon = 230.0f;  // row
  float sin_yaw = 0;       // 0 looks along +s, pi/2 along +l
  float cos_yaw = 1;
  float bend = 0;  // 1/metres

  PlanPoint plan(float at_l, float at_s) const {
    const float ds = at_s - s;
    const float dl = at_l - l + 0.5f * bend * ds * ds;
    return {dl * cos_yaw - ds * sin_yaw, dl * sin_yaw + ds * cos_yaw};
  }

  float row(float at_height, float z) const { return horizon + focal * (height - at_height) / z; }
  float screen_x(PlanPoint p) const { return 0.5f * kWidth + focal * p.x / p.z; }

  // Only for z > 0.
  ScreenPoint project(float at_l, float at_s, float at_height) const {
    const PlanPoint p = plan(at_l, at_s);
    return {screen_x(p), row(at_height, p.z), p.z};
  }

  // The slope x/z of the ray through the middle of a column.
  float slope(int x) const { return (static_cast<float>(x) + 0.5f - 0.5f * kWidth) / focal; }
};

}  // namespace nowhere::synth
