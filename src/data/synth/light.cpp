#include "data/synth/light.h"

#include <numbers>

namespace nowhere::synth {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

void place_sun(Light& light, const Drive& drive, Random& random) {
  float elevation = uniform(random, 0.5f, 1.05f);
  if (drive.hour == Hour::kLowSun) elevation = uniform(random, 0.14f, 0.32f);
  if (drive.hour == Hour::kDusk || drive.hour == Hour::kNight) elevation = 0.02f;
  const float azimuth = uniform(random, -kPi, kPi);
  light.sun_l = std::sin(azimuth) * std::cos(elevation);
  light.sun_s = std::cos(azimuth) * std::cos(elevation);
  light.sun_up = std::sin(elevation);
}

void light_day(Light& light, Random& random) {
  light.sun = Rgb{1.30f, 1.20f, 1.02f} * uniform(random, 0.9f, 1.1f);
  light.ambient = {0.50f, 0.56f, 0.66f};
  light.zenith = Rgb{0.16f, 0.36f, 0.80f} * uniform(random, 0.8f, 1.2f);
  light.horizon = {0.78f, 0.90f, 1.02f};
  light.glow = {0.9f, 0.8f, 0.6f};
  light.cloud_lit = {1.35f, 1.33f, 1.30f};
  light.cloud_dark = {0.62f, 0.67f, 0.76f};
}

void light_low_sun(Light& light, Random& random) {
  const float warm = uniform(random, 0.0f, 1.0f);
  light.sun = mix(Rgb{1.45f, 1.05f, 0.62f}, Rgb{1.45f, 0.82f, 0.40f}, warm);
  light.ambient = {0.42f, 0.41f, 0.50f};
  light.zenith = {0.22f, 0.36f, 0.66f};
  light.horizon = mix(Rgb{1.05f, 0.88f, 0.66f}, Rgb{1.10f, 0.72f, 0.46f}, warm);
  light.glow = {2.2f, 1.3f, 0.55f};
  light.cloud_lit = {1.5f, 1.05f, 0.72f};
  light.cloud_dark = {0.50f, 0.44f, 0.52f};
  light.exposure = 1.12f;
}

void light_dusk(Light& light, Random& random) {
  const float purple = uniform(random, 0.0f, 1.0f);
  light.sun = {0, 0, 0};
  light.ambient = mix(Rgb{0.20f, 0.22f, 0.33f}, Rgb{0.24f, 0.19f, 0.31f}, purple);
  light.zenith = mix(Rgb{0.07f, 0.12f, 0.30f}, Rgb{0.13f, 0.10f, 0.30f}, purple);
  light.horizon = mix(Rgb{0.85f, 0.50f, 0.30f}, Rgb{0.72f, 0.36f, 0.40f}, purple);
  light.glow = {1.3f, 0.55f, 0.22f};
  light.cloud_lit = {0.80f, 0.42f, 0.36f};
  light.cloud_dark = {0.17f, 0.15f, 0.24f};
  light.lamps = 0.75f;
  light.lit_windows = 0.35f;
  light.exposure = 1.1f;
  light.noise = 2.2f;
}

void light_night(Light& light, Random& random) {
  light.sun = {0, 0, 0};
  light.ambient = Rgb{0.050f, 0.057f, 0.090f} * uniform(random, 0.8f, 1.4f);
  light.zenith = {0.006f, 0.010f, 0.028f};
  light.horizon = mix(Rgb{0.07f, 0.05f, 0.05f}, Rgb{0.04f, 0.05f, 0.09f}, uniform(random, 0, 1));
  light.glow = {0, 0, 0};
  light.cloud_lit = {0.06f, 0.05f, 0.05f};
  light.cloud_dark = {0.03f, 0.028f, 0.034f};
  light.lamps = 1;
  light.lit_windows = uniform(random, 0.22f, 0.5f);
  light.exposure = 1.15f;
  light.noise = 3.2f;
}

// Under a closed sky the sun is gone and everything takes the cloud's colour.
void close_sky(Light& light, float darkness, Random& random) {
  const float level = luma(light.ambient);
  const Rgb flat = Rgb{1.0f, 1.02f, 1.06f} * (level * 1.5f * (1.0f - darkness));
  const float sky = std::max(luma(light.horizon) * 0.85f, level) * (1.0f - darkness);
  light.sun = light.sun * 0.0f;
  light.ambient = mix(light.ambient * 1.35f * (1.0f - darkness), flat, 0.8f);
  light.zenith = mix(light.zenith, Rgb{0.86f, 0.93f, 1.0f} * sky * 0.72f, 0.85f);
  light.horizon = mix(light.horizon, Rgb{0.97f, 1.0f, 1.03f} * sky * 1.1f, 0.75f);
  light.cloud_lit = Rgb{1.0f, 1.01f, 1.03f} * sky * 1.12f;
  light.cloud_dark = Rgb{0.9f, 0.95f, 1.0f} * sky * uniform(random, 0.45f, 0.65f);
  light.glow = light.glow * 0.12f;
  light.cloud_cover = 0.95f;
}

void apply_weather(Light& light, const Drive& drive, Random& random) {
  switch (drive.weather) {
    case Weather::kClear:
      light.cloud_cover = uniform(random, 0.0f, 0.25f);
      break;
    case Weather::kCloudy:
      light.cloud_cover = uniform(random, 0.4f, 0.65f);
      break;
    case Weather::kOvercast:
      close_sky(light, 0.0f, random);
      break;
    case Weather::kRain:
      close_sky(light, uniform(random, 0.2f, 0.35f), random);
      light.wet = uniform(random, 0.7f, 1.0f), light.rain = uniform(random, 0.3f, 1.0f);
      light.fog_density *= 2.4f, light.exposure *= 1.15f;
      light.lamps = std::max(light.lamps, 0.4f), light.lit_windows = std::max(light.lit_windows, 0.15f);
      break;
    case Weather::kFog:
      close_sky(light, 0.05f, random);
      light.fog_density = uniform(random, 0.012f, 0.03f),
      light.zenith = mix(light.zenith, light.horizon, 0.8f);
      light.lamps = std::max(light.lamps, 0.35f), light.cloud_cover = 0.0f;
      break;
    case Weather::kSnow:
      close_sky(light, 0.0f, random);
      light.snow = uniform(random, 0.6f, 1.0f), light.fog_density *= 2.6f;
      if (drive.hour != Hour::kNight) light.exposure *= 1.3f;
      break;
  }
}

}  // namespace

Light make_light(const CityStyle& city, const Drive& drive) {
  Random random = drive.random(Drive::Lots::kLight);
  Light light;
  place_sun(light, drive, random);
  switch (drive.hour) {
    case Hour::kDay:
      light_day(light, random);
      break;
    case Hour::kLowSun:
      light_low_sun(light, random);
      break;
    case Hour::kDusk:
      light_dusk(light, random);
      break;
    case Hour::kNight:
      light_night(light, random);
      break;
  }
  light.fog_density = 0.0022f * city.haze;
  light.cloud_drift = uniform(random, 0.0f, 256.0f);
  apply_weather(light, drive, random);
  light.zenith = light.zenith * city.sky_tint;
  light.horizon = light.horizon * city.sky_tint;
  light.fog = light.horizon * 0.92f;
  if (drive.hour == Hour::kNight && drive.weather == Weather::kFog) light.fog = light.fog * 1.3f;
  if (random.chance(0.35)) light.lamp_colour = {0.95f, 0.90f, 0.78f};
  return light;
}

}  // namespace nowhere::synth
