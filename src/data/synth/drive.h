// One drive: a street, an hour, a weather, and a camera that moves through them.
#pragma once

#include <cstdint>

#include "data/photos.h"
#include "data/synth/camera.h"
#include "data/synth/style.h"

namespace nowhere::synth {

enum class Weather { kClear, kCloudy, kOvercast, kRain, kFog, kSnow };
enum class Hour { kDay, kLowSun, kDusk, kNight };

struct Drive {
  uint64_t seed = 0;
  int city = 0;
  int index = 0;  // in its city
  int frames = 20;
  bool query = false;  // the query half of the set, else the database
  View view = View::kForward;
  Weather weather = Weather::kClear;
  Hour hour = Hour::kDay;
  bool panel = false;  // the car's bonnet shows at the bottom
  float step = 3;      // metres from frame to frame
  float heading = 0;   // radians clockwise from north, of the movement, at frame 0
  float bend = 0;      // 1/metres: how the heading changes along the way
  float yaw = 0;       // radians; the mean direction of the camera, see Camera
  float start_l = 0;
  float height = 1.6f;
  float focal = 420;
  float horizon = 230;
  double start_east = 0;  // metres from the city's centre
  double start_north = 0;
  int64_t captured_at = 0;  // milliseconds since 1970

  // Along the street, +1 with s or -1 against it: looking back, the street recedes.
  float direction() const { return view == View::kBackward ? -1.0f : 1.0f; }
  float position(int frame) const { return direction() * step * static_cast<float>(frame); }
  // The purposes a drive draws random numbers for; `which` tells frames or objects apart.
  enum class Lots : uint64_t { kRoute, kSway, kLight, kStreet, kCars, kProps, kGrain, kWeather, kPanel };
  Random random(Lots what, int which = 0) const {
    return stream(seed, Topic::kDrive, static_cast<uint64_t>(city), static_cast<uint64_t>(index),
                  static_cast<uint64_t>(what), static_cast<uint64_t>(which));
  }
};

// The half width of the road, kerb to kerb.
float road_half(const CityStyle& city);

// The lateral place of a lane's middle for traffic that moves along +s (direction 1) or -s (-1).
float lane_l(const CityStyle& city, float direction, int lane);

Drive make_drive(const CityStyle& city, int index, int frames, bool query);
Camera camera_at(const Drive& drive, int frame);

}  // namespace nowhere::synth
