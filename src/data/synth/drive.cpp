#include "data/synth/drive.h"

#include <numbers>

namespace nowhere::synth {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

Hour pick_hour(Random& random) {
  const double x = random.uniform();
  return x < 0.52 ? Hour::kDay : x < 0.68 ? Hour::kLowSun : x < 0.80 ? Hour::kDusk : Hour::kNight;
}

Weather pick_weather(Random& random, const CityStyle& city) {
  const double x = random.uniform();
  if (x < 0.36) return Weather::kClear;
  if (x < 0.62) return Weather::kCloudy;
  if (x < 0.74) return Weather::kOvercast;
  if (x < 0.86) return Weather::kRain;
  if (x < 0.93 || city.latitude < 30) return Weather::kFog;
  return Weather::kSnow;
}

void aim(Drive& drive, const CityStyle& city, Random& random) {
  drive.start_l = lane_l(city, drive.direction(), 0) + uniform(random, -0.3f, 0.3f);
  drive.height = uniform(random, 1.45f, 2.1f);
  drive.focal = uniform(random, 360.0f, 500.0f);
  drive.horizon = uniform(random, 225.0f, 270.0f);
  drive.bend = uniform(random, -1.0f, 1.0f) * uniform(random, 0.0f, 0.0035f);
  drive.yaw = uniform(random, -0.06f, 0.06f);
  if (drive.view == View::kSideways) {
    drive.bend = 0;
    drive.yaw = (random.chance(0.5) ? 0.5f : -0.5f) * kPi + uniform(random, -0.25f, 0.25f);
    drive.focal = uniform(random, 330.0f, 400.0f);
    drive.horizon += 30;
  }
}

// Milliseconds since 1970 of an hour that fits the light, on some day between 2014 and 2019.
int64_t capture_time(const Drive& drive, const CityStyle& city, Random& random) {
  constexpr int64_t kDay = 86'400'000;
  const int64_t day = 16'100 + static_cast<int64_t>(random.below(1'900));
  double clock = random.uniform(10, 16);
  if (drive.hour == Hour::kLowSun) clock = random.uniform(17, 18.5);
  if (drive.hour == Hour::kDusk) clock = random.uniform(19, 20);
  if (drive.hour == Hour::kNight) clock = random.uniform(21, 23.5);
  return day * kDay + static_cast<int64_t>((clock - city.longitude / 15.0) * 3'600'000.0);
}

}  // namespace

float road_half(const CityStyle& city) {
  return city.lane_width * static_cast<float>(city.lanes) + (city.parking ? 2.2f : 0.5f);
}

float lane_l(const CityStyle& city, float direction, int lane) {
  const float side = city.left_hand ? -direction : direction;
  return side * city.lane_width * (static_cast<float>(lane) + 0.5f);
}

Drive make_drive(const CityStyle& city, int index, int frames, bool query) {
  Drive drive;
  drive.seed = city.seed;
  drive.city = city.index;
  drive.index = index;
  drive.frames = frames;
  drive.query = query;
  Random random = drive.random(Drive::Lots::kRoute);
  const double x = random.uniform();
  drive.view = x < 0.8 ? View::kForward : x < 0.9 ? View::kBackward : View::kSideways;
  drive.hour = pick_hour(random);
  drive.weather = pick_weather(random, city);
  drive.panel = drive.view == View::kForward && random.chance(0.15);
  drive.step = uniform(random, 1.0f, 6.0f);
  drive.heading = uniform(random, 0.0f, 2.0f * kPi);
  aim(drive, city, random);
  drive.start_east = random.uniform(-4000, 4000);
  drive.start_north = random.uniform(-4000, 4000);
  drive.captured_at = capture_time(drive, city, random);
  return drive;
}

Camera camera_at(const Drive& drive, int frame) {
  Random random = drive.random(Drive::Lots::kSway);
  const float sway = uniform(random, 0.0f, 2.0f * kPi);
  const float along = drive.position(frame);
  const float yaw = drive.yaw + 0.02f * std::sin(0.05f * along + sway);
  Camera camera;
  camera.s = along;
  camera.l = drive.start_l + 0.25f * std::sin(0.035f * along + 2.0f * sway);
  camera.height = drive.height;
  camera.focal = drive.focal;
  camera.horizon = drive.horizon + 2.5f * std::sin(0.4f * along + sway);
  camera.sin_yaw = std::sin(yaw);
  camera.cos_yaw = std::cos(yaw);
  camera.bend = drive.bend;
  return camera;
}

}  // namespace nowhere::synth
