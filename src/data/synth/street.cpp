#include "data/synth/street.h"

namespace nowhere::synth {
namespace {

constexpr float kBehind = 70.0f;
constexpr float kAhead = 330.0f;

struct Gap {
  int side = 1;
  float begin = 0;
  float end = 0;
};

void raise_roof(Lot& lot, const CityStyle& city, Random& random) {
  const float width = lot.end - lot.begin;
  lot.roof = random.pick(city.roofs);
  if (lot.floors > 6 && lot.roof != Roof::kMansard) lot.roof = Roof::kFlat;
  switch (lot.roof) {
    case Roof::kFlat:
      lot.rise = 0, lot.run = 0;
      break;
    case Roof::kEaves:
      lot.run = 0.5f * lot.depth, lot.rise = lot.run * uniform(random, 0.45f, 0.85f);
      break;
    case Roof::kFrontGable:
      lot.run = 0.5f * width, lot.rise = std::min(5.5f, lot.run * uniform(random, 0.6f, 1.0f));
      break;
    case Roof::kStepGable:
      lot.run = 0.5f * width, lot.rise = std::min(6.0f, lot.run * uniform(random, 0.9f, 1.3f));
      break;
    case Roof::kMansard:
      lot.run = 1.8f, lot.rise = uniform(random, 2.8f, 4.0f);
      break;
  }
}

void dress(Lot& lot, const CityStyle& city, Random& random) {
  lot.hash = static_cast<uint32_t>(random.bits());
  lot.wall = random.pick(city.walls) * uniform(random, 0.85f, 1.1f);
  lot.trim = random.pick(city.trims);
  lot.frame = random.chance(0.8) ? random.pick(city.trims) : screen(0x3a3c40);
  lot.accent = random.pick(city.accents);
  lot.sign = random.pick(city.accents);
  lot.roof_colour = random.pick(city.roof_colours) * uniform(random, 0.8f, 1.15f);
  lot.shop = random.chance(city.shop_chance);
  lot.balcony = random.chance(city.balcony_chance);
  lot.glass = random.chance(city.glass_chance);
  lot.arch = random.chance(city.arch_chance);
  lot.shutter = random.chance(city.shutter_chance);
  lot.awning = lot.shop && random.chance(0.5);
}

Lot build(const CityStyle& city, int side, float begin, float width, float front, Random& random) {
  Lot lot;
  lot.side = side;
  lot.begin = begin;
  lot.end = begin + width;
  lot.front = front;
  lot.depth = uniform(random, 9.0f, 13.0f);
  lot.floors = uniform_int(random, city.floors_min, city.floors_max);
  if (random.chance(city.tower_chance)) lot.floors = lot.floors * 3 / 2 + 2;
  lot.floor_height = city.floor_height * uniform(random, 0.93f, 1.07f);
  lot.cell = city.cell * uniform(random, 0.88f, 1.15f);
  lot.cell = width / std::max(1.0f, std::round(width / lot.cell));
  lot.window_width = city.window_width * uniform(random, 0.85f, 1.15f);
  lot.window_height = city.window_height * uniform(random, 0.9f, 1.12f);
  dress(lot, city, random);
  lot.ground_height = lot.floor_height + (lot.shop ? 0.7f : 0.2f);
  lot.height = lot.ground_height + lot.floor_height * static_cast<float>(lot.floors - 1) + 0.5f;
  raise_roof(lot, city, random);
  return lot;
}

// One side of the street, house by house; side streets are shared by both sides.
void build_side(Street& street, const CityStyle& city, int side, const std::vector<Gap>& crossings,
                Random& random, std::vector<Gap>& gaps) {
  float s = street.begin;
  size_t next = 0;
  while (s < street.end) {
    const float width = uniform(random, city.lot_min, city.lot_max);
    while (next < crossings.size() && crossings[next].end <= s) ++next;
    if (next < crossings.size() && s + width * 0.6f > crossings[next].begin) {
      gaps.push_back({side, crossings[next].begin, crossings[next].end});
      s = crossings[next].end;
      continue;
    }
    const float room = next < crossings.size() ? crossings[next].begin - s : 1e6f;
    const float fitted = std::min(width, room);
    const float front =
        street.front + (random.chance(0.3) ? uniform(random, 0.0f, 0.25f + 0.4f * city.setback) : 0);
    street.lots.push_back(build(city, side, s, fitted, front, random));
    s += fitted;
    if (random.chance(city.gap_chance)) s += city.gap_width * uniform(random, 0.6f, 1.3f);
  }
}

// Taller buildings behind the first row: they close gaps and rise above low roofs.
void build_back_row(Street& street, const CityStyle& city, int side, Random& random) {
  for (float s = street.begin; s < street.end; s += uniform(random, 18.0f, 60.0f)) {
    const float width = uniform(random, 12.0f, 26.0f);
    Lot lot = build(city, side, s, width, street.front + uniform(random, 26.0f, 48.0f), random);
    lot.shop = lot.awning = false;
    street.lots.push_back(lot);
    s += width;
  }
}

void fill_cells(Street& street, const std::vector<Gap>& gaps) {
  street.cells.resize(static_cast<size_t>((street.end - street.begin) / Street::kCell) + 2);
  const auto index = [&](float s) {
    const int i = static_cast<int>((s - street.begin) / Street::kCell);
    return static_cast<size_t>(std::clamp(i, 0, static_cast<int>(street.cells.size()) - 1));
  };
  for (const Lot& lot : street.lots) {
    if (lot.front > street.front + 20.0f) continue;
    for (size_t i = index(lot.begin); i <= index(lot.end); ++i) {
      float& roof = street.cells[i].roof[lot.side > 0 ? 1 : 0];
      roof = std::max(roof, lot.height + 0.6f * lot.rise);
    }
  }
  for (const Gap& gap : gaps) {
    for (size_t i = index(gap.begin - 3.0f); i <= index(gap.end + 3.0f); ++i) {
      street.cells[i].gap_begin[gap.side > 0 ? 1 : 0] = gap.begin;
      street.cells[i].gap_end[gap.side > 0 ? 1 : 0] = gap.end;
    }
  }
  for (const float crossing : street.crossings) {
    for (size_t i = index(crossing - 3.0f); i <= index(crossing + 3.0f); ++i)
      street.cells[i].crossing = crossing;
  }
  for (const Prop& prop : street.props) {
    if (prop.kind != PropKind::kLamp) continue;
    for (size_t i = index(prop.s - 30.0f); i <= index(prop.s + 30.0f); ++i) {
      const float ds = street.begin + (static_cast<float>(i) + 0.5f) * Street::kCell - prop.s;
      street.cells[i].lamp[prop.l > 0 ? 1 : 0] += 1.0f / square(1.0f + square(ds / 5.5f));
    }
  }
}

}  // namespace

float Street::roof(int side, float s) const {
  const float x = (s - begin) * (1.0f / kCell) - 0.5f;
  const int i = std::clamp(static_cast<int>(x), 0, static_cast<int>(cells.size()) - 2);
  const size_t k = side > 0 ? 1 : 0;
  return mix(cells[static_cast<size_t>(i)].roof[k], cells[static_cast<size_t>(i) + 1].roof[k],
             clamp01(x - static_cast<float>(i)));
}

Street make_street(const CityStyle& city, const Drive& drive) {
  Street street;
  Random random = drive.random(Drive::Lots::kStreet);
  const float last = drive.position(drive.frames);
  street.begin = std::min(0.0f, last) - kBehind;
  street.end = std::max(0.0f, last) + kAhead;
  street.half = road_half(city);
  street.pavement = city.pavement * uniform(random, 0.85f, 1.2f);
  street.front = street.half + street.pavement + city.setback * uniform(random, 0.8f, 1.2f);
  street.lamp_l = street.half + 0.6f;
  street.lamp_height = uniform(random, 6.5f, 9.0f);

  std::vector<Gap> side_streets;
  for (float s = street.begin + uniform(random, 20.0f, 90.0f); s < street.end;
       s += uniform(random, 55.0f, 120.0f)) {
    const float width = uniform(random, 8.0f, 12.0f);
    side_streets.push_back({1, s, s + width});
    if (random.chance(0.7)) street.crossings.push_back(s - 3.2f);
    if (random.chance(0.4)) street.crossings.push_back(s + width + 3.2f);
  }
  std::vector<Gap> gaps;
  for (const int side : {-1, 1}) {
    build_side(street, city, side, side_streets, random, gaps);
    build_back_row(street, city, side, random);
  }
  place_props(street, city, drive);
  place_cars(street, city, drive);
  fill_cells(street, gaps);
  return street;
}

}  // namespace nowhere::synth
