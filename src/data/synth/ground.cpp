#include "data/synth/painters.h"

namespace nowhere::synth {
namespace {

constexpr float kFarthest = 700.0f;
constexpr float kKerb = 0.22f;
constexpr float kDash = 1.0f / 9.0f;  // dashes per metre
constexpr Rgb kSnow = {0.80f, 0.84f, 0.90f};

}  // namespace

GroundPainter::GroundPainter(const Scene& scene, const Camera& camera)
    : scene_(scene), camera_(camera), rows_(kHeight), marking_(screen(0xdedcd4)) {
  for (int y = 0; y < kHeight; ++y) {
    const float below = std::max(0.05f, static_cast<float>(y) + 0.5f - camera.horizon);
    Row& row = rows_[static_cast<size_t>(y)];
    row.z = std::min(kFarthest, camera.focal * camera.height / below);
    row.fog = scene.light.fog_at(row.z);
    row.across = row.z / camera.focal;
    row.along = row.z * row.z / (camera.focal * camera.height);
    row.grain = 0.4f * clamp01(0.35f / (row.across + row.along * 0.3f + 0.05f));
  }
}

float GroundPainter::markings(const Spot& spot) const {
  const CityStyle& city = scene_.city;
  const float half = scene_.street.half;
  const float al = std::abs(spot.l);
  const float reach = 0.5f * spot.wide.width + 0.1f;
  const auto dashes = [&] { return pulse_cover(spot.s * kDash, spot.deep.scaled(kDash), 0.38f); };
  float paint = 0;
  if (city.lanes > 1) {
    if (al < 0.12f + reach) paint = interval_cover(al, spot.wide, 0.08f, 0.20f);
    if (std::abs(al - city.lane_width) < reach) {
      paint += dashes() * interval_cover(al, spot.wide, city.lane_width - 0.06f, city.lane_width + 0.06f);
    }
  } else if (al < reach) {
    paint = dashes() * interval_cover(spot.l, spot.wide, -0.07f, 0.07f);
  }
  const float edge = city.parking ? half - 2.2f : half - 0.35f;
  if (std::abs(al - edge) < reach) paint += 0.8f * interval_cover(al, spot.wide, edge - 0.05f, edge + 0.05f);
  if (std::abs(spot.s - spot.cell->crossing) < 1.8f + 0.5f * spot.deep.width && al < half - 0.2f) {
    const float zebra =
        interval_cover(spot.s, spot.deep, spot.cell->crossing - 1.8f, spot.cell->crossing + 1.8f);
    paint = mix(paint, pulse_cover(spot.l + 0.25f, spot.wide, 0.5f), zebra);
  }
  return clamp01(paint);
}

Rgb GroundPainter::road(const Spot& spot, float grain) const {
  const Street& street = scene_.street;
  const float al = std::abs(spot.l);
  // Tyres polish two tracks a lane and oil darkens its middle.
  const float lane = al / scene_.city.lane_width;
  const float in_lane = lane - static_cast<float>(static_cast<int>(lane)) - 0.5f;
  const float worn = 1.0f - 0.09f / (1.0f + square(in_lane * 7.0f));
  Rgb colour = scene_.city.asphalt * ((0.82f + 0.36f * grain) * worn);
  const float paint = markings(spot);
  if (paint > 0) {
    const bool yellow =
        scene_.city.yellow_lines && al < 0.5f && std::abs(spot.s - spot.cell->crossing) > 1.8f;
    colour = mix(colour, yellow ? screen(0xd8a42a) : marking_, (0.72f + 0.2f * grain) * paint);
  }
  if (al > street.half - 0.35f - spot.wide.width) {
    colour = colour * (1.0f - 0.25f * interval_cover(al, spot.wide, street.half - 0.35f, street.half));
  }
  if (scene_.light.snow > 0) {
    const float tracks =
        smoothstep(0.16f, 0.4f, std::abs(std::abs(in_lane) - 0.24f) + 0.35f * (grain - 0.5f));
    colour = mix(colour, kSnow, scene_.light.snow * (0.25f + 0.6f * tracks));
  }
  return colour;
}

Rgb GroundPainter::beside(const Spot& spot, float grain) const {
  const Street& street = scene_.street;
  const float al = std::abs(spot.l);
  float joints = 0;  // between slabs of 1 m
  if (spot.wide.width < 0.25f) {
    joints = (1.0f - 4.0f * spot.wide.width) *
             (1.0f - std::min(pulse_cover(al, spot.wide, 0.95f), pulse_cover(spot.s, spot.deep, 0.95f)));
  }
  Rgb colour = scene_.city.paving * (0.86f + 0.26f * grain) * (1.0f - 0.5f * joints);
  if (al < street.half + kKerb + spot.wide.width) {
    colour = mix(colour, screen(0xb4b2ac), interval_cover(al, spot.wide, street.half, street.half + kKerb));
  }
  if (scene_.city.garden) {
    const float lawn = clamp01((al - street.half - street.pavement) * spot.wide.inverse + 0.5f);
    colour = mix(colour, scene_.city.leaf * (0.75f + 0.5f * grain), lawn);
  }
  if (scene_.light.snow > 0) colour = mix(colour, kSnow, scene_.light.snow * (0.6f + 0.35f * grain));
  const size_t side = spot.l > 0 ? 1 : 0;
  if (spot.s + spot.deep.width < spot.cell->gap_begin[side]) return colour;
  const float gap = interval_cover(spot.s, spot.deep, spot.cell->gap_begin[side], spot.cell->gap_end[side]);
  return gap > 0 ? mix(colour, scene_.city.asphalt * (0.82f + 0.36f * grain), gap) : colour;
}

Rgb GroundPainter::albedo(const Spot& spot) const {
  const float coarse = scene_.textures.grain.nearest(spot.l * 6.0f, spot.s * 2.5f);
  const float grain = 0.5f + spot.grain * (coarse - 0.5f) + 0.9f * (spot.patch - 0.5f);
  const float on_road = clamp01((scene_.street.half - std::abs(spot.l)) * spot.wide.inverse + 0.5f);
  if (on_road >= 1.0f) return road(spot, grain);
  if (on_road <= 0.0f) return beside(spot, grain);
  return mix(beside(spot, grain), road(spot, grain), on_road);
}

Rgb GroundPainter::light_on(const Spot& spot, float slope, float z) const {
  const Light& light = scene_.light;
  Rgb lit = light.ambient;
  if (luma(light.sun) > 0) lit = lit + light.sun * (light.sun_up * scene_.sunlight(spot.l, spot.s, 0));
  if (light.lamps > 0) lit = lit + light.lamp_colour * (1.15f * scene_.lamplight(spot.l, spot.s));
  if (light.lamps > 0.5f && scene_.drive.view == View::kForward) {  // the car's own beam
    const float side = slope * z / (1.6f + 0.16f * z);
    const float beam = 1.0f / square(1.0f + side * side) * z / (20.0f + 0.13f * z * z);
    lit = lit + Rgb{1.0f, 0.95f, 0.82f} * (0.8f * light.lamps * beam);
  }
  return lit * (1.0f - 0.45f * light.wet);
}

void GroundPainter::paint(int x, int begin, Pixel* column) const {
  constexpr float kSmooth = 0.25f;  // metres; rows closer than this share light and stains by twos
  const float slope = camera_.slope(x);
  const float dir_l = slope * camera_.cos_yaw + camera_.sin_yaw;
  const float dir_s = camera_.cos_yaw - slope * camera_.sin_yaw;
  const float al = std::abs(dir_l);
  const float as = std::abs(dir_s);
  const float right_l = std::abs(camera_.cos_yaw);
  const float right_s = std::abs(camera_.sin_yaw);
  Spot spot;
  Rgb lit;
  for (int y = begin; y < kHeight; ++y) {
    const Row& row = rows_[static_cast<size_t>(y)];
    const float ds = row.z * dir_s;
    spot.s = camera_.s + ds;
    spot.l = camera_.l + row.z * dir_l - 0.5f * camera_.bend * ds * ds;
    spot.wide = Footprint(row.across * right_l + row.along * al + 1e-4f);
    spot.deep = Footprint(row.across * right_s + row.along * as + 1e-4f);
    spot.grain = row.grain;
    spot.cell = &scene_.street.cell(spot.s);
    if (y == begin || (y & 1) == 0 || row.along > kSmooth) {
      spot.patch = scene_.textures.clouds.smooth(spot.l * 1.7f, spot.s * 0.9f);
      lit = light_on(spot, slope, row.z);
    }
    column[y] = {mix(albedo(spot) * lit, scene_.light.fog, row.fog), kGroundDepth};
  }
}

}  // namespace nowhere::synth
