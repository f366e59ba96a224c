#include "data/synth/painters.h"

namespace nowhere::synth {
namespace {

// What is the same for all pixels of a column of wall.
struct Facade {
  Facade(const Scene& s, const WallColumn& w) : scene(s), wall(w), lot(*w.lot) {}

  const Scene& scene;
  const WallColumn& wall;
  const Lot& lot;
  float dv = 0;      // metres of height per pixel
  Footprint metres;  // of a pixel, upwards
  Footprint floors;  // the same in floors
  Footprint cells;   // of a pixel, sideways, in window cells
  float window = 0;  // share of the pixel's width that windows take, with frames
  float glass = 0;   // without frames
  float shutter = 0;
  float arch = 0;      // how much the head of the window drops here, in floors
  float detail = 0;    // 1 near, 0 where single windows cannot be told apart
  uint32_t cell = 0;   // which window column
  bool blank = false;  // a party wall without windows
  Rgb sun;
  Rgb lamp;
  float shadow = 0;    // height below which the houses opposite shade the wall
  float penumbra = 1;  // 1/metres
  float open = 1;      // to the sky
};

inline Rgb light_at(const Facade& f, float v) {
  const Light& light = f.scene.light;
  Rgb lit = light.ambient * (f.open * (0.62f + 0.38f * clamp01(v * 0.12f)));
  lit = lit + f.sun * clamp01((v - f.shadow) * f.penumbra + 0.5f);
  if (light.lamps > 0) lit = lit + f.lamp * (1.0f / (1.0f + square((v - 4.0f) * 0.22f)));
  return lit;
}

// What the glass of one window shows: sky by day, a room by night.
Rgb glass_colour(const Facade& f, float v, uint32_t hash) {
  const Light& light = f.scene.light;
  const float chance = unit(hash);
  const float up = clamp01(v / 30.0f + 0.35f * unit(hash32(hash)));
  Rgb shown = mix(light.horizon, light.zenith, up) * (f.lot.glass ? 0.62f : 0.28f);
  if (!f.lot.glass && (hash & 7u) < 2u) shown = shown + light.ambient * 0.45f;  // curtains
  if (light.lit_windows <= 0) return shown;
  const float warm = unit(hash32(hash, 3u));
  const Rgb room =
      mix(Rgb{1.25f, 0.80f, 0.36f}, Rgb{0.95f, 0.92f, 0.85f}, warm * warm) * (0.35f + 0.75f * warm);
  const float sharp = chance < light.lit_windows ? 1.0f : 0.03f;
  return shown + room * mix(light.lit_windows, sharp, f.detail);
}

// Goes down a column floor by floor; looks up a window once, not for each of its pixels.
class UpperFloors {
 public:
  explicit UpperFloors(const Facade& facade)
      : f_(facade),
        per_floor_(1.0f / facade.lot.floor_height),
        head_(kSill + std::max(0.1f, facade.lot.window_height - facade.arch)),
        near_(facade.floors.width < kNear),
        plain_(facade.blank ||
               (facade.window <= 0 && !facade.lot.balcony && !(facade.lot.shutter && facade.shutter > 0))),
        band_colour_((facade.lot.trim - facade.lot.wall) * 0.55f) {}

  Rgb colour(float v) {
    const Lot& lot = f_.lot;
    const float t = (v - lot.ground_height) * per_floor_;
    const int floor = fast_floor(t);
    if (floor != floor_) enter(floor, v);
    const float in = t - static_cast<float>(floor);
    // Most pixels near the camera are nothing but glass or nothing but wall.
    if (near_ && f_.glass > 0.999f && in > kSill + kFrame + kNear && in < head_ - kFrame - kNear &&
        !lot.balcony) {
      return pane_ * reveal(in);
    }
    const Rgb wall = lot.wall + band_colour_ * cover(t, in, -0.04f, 0.02f);
    const bool between = near_ && (in > head_ + kNear || in < kSill - 0.05f - kNear) && !lot.balcony;
    return between || plain_ ? wall * light_at(f_, v) : opening(v, t, in, wall);
  }

 private:
  static constexpr float kSill = 0.24f;  // in floors, as all below
  static constexpr float kFrame = 0.035f;
  static constexpr float kNear = 0.08f;

  void enter(int floor, float v) {
    floor_ = floor;
    pane_ = glass_colour(f_, v, hash32(f_.lot.hash, f_.cell, static_cast<uint32_t>(floor)));
  }
  // [a, b] of every floor; near the camera a pixel touches only one floor, which is cheaper.
  float cover(float t, float in, float a, float b) const {
    if (near_ && a >= 0) return interval_cover(in, f_.floors, a, b);
    return pulse_cover(t - a, f_.floors, b - a);
  }
  // The reveal shades the head of the window.
  float reveal(float in) const { return 1.0f - 0.45f * f_.detail * clamp01((in - head_ + 0.12f) * 12.0f); }

  Rgb opening(float v, float t, float in, Rgb wall) const {
    const Lot& lot = f_.lot;
    const Rgb lit = light_at(f_, v);
    const float rows = cover(t, in, kSill, head_);
    const float window = f_.window * rows;
    const float glass = std::min(window, f_.glass * cover(t, in, kSill + kFrame, head_ - kFrame));
    wall = mix(wall, lot.trim, 0.75f * f_.window * cover(t, in, kSill - 0.05f, kSill));
    if (lot.shutter) wall = mix(wall, lot.accent, f_.shutter * rows);
    Rgb colour = (wall * (1.0f - window) + lot.frame * (window - glass)) * lit + pane_ * (glass * reveal(in));
    if (lot.balcony) {
      const float rail = cover(t, in, 0.02f, 0.32f) * (0.35f + 0.65f * f_.window);
      colour = mix(colour, screen(0x35363a) * lit, 0.5f * rail);
      colour = mix(colour, lot.trim * lit * 0.8f, cover(t, in, -0.03f, 0.02f) * f_.window);
    }
    return colour;
  }

  const Facade& f_;
  float per_floor_;
  float head_;       // of the windows
  bool near_;        // a pixel is small against a floor
  bool plain_;       // no opening in this column
  Rgb band_colour_;  // what the band between floors adds to the wall
  int floor_ = -1000;
  Rgb pane_;
};

// What a shop window shows: blocks of wares below, the lit room above.
Rgb shelves(const Facade& f, float v) {
  const Rgb mean = {0.36f, 0.33f, 0.30f};
  if (v > 0.55f * f.lot.ground_height) return mean * 1.5f;
  const auto across = static_cast<uint32_t>(std::max(0.0f, f.wall.u) * 2.3f);
  const auto up = static_cast<uint32_t>(std::max(0.0f, v) * 3.1f);
  const uint32_t hash = hash32(f.lot.hash, across, up);
  const Rgb ware = Rgb{0.30f + 0.2f * unit(hash32(hash)), 0.30f, 0.22f + 0.2f * unit(hash32(hash, 1u))} *
                   (0.5f + unit(hash));
  return mix(mean, ware, f.detail * clamp01(1.0f - 6.0f * f.dv));
}

Rgb shop_floor(const Facade& f, float v) {
  const Lot& lot = f.lot;
  const Light& light = f.scene.light;
  const float top = lot.ground_height;
  const Rgb lit = light_at(f, v);
  const float sign = interval_cover(v, f.metres, top - 0.75f, top - 0.12f);
  const float pane = interval_cover(v, f.metres, 0.45f, top - 0.9f) *
                     pulse_cover(f.wall.u / lot.cell - 0.05f, f.cells, 0.9f);
  const Rgb goods = shelves(f, v);
  Rgb inside = goods * light.ambient * 0.22f + mix(light.horizon, light.zenith, 0.3f) * 0.12f;
  if (light.lit_windows > 0) {
    const bool open = unit(hash32(lot.hash, 5u)) < 0.35f + light.lit_windows;
    const Rgb bulbs = mix(Rgb{1.25f, 0.92f, 0.55f}, Rgb{0.95f, 1.0f, 1.05f}, unit(hash32(lot.hash, 6u)));
    inside = inside + bulbs * (goods + grey(0.25f)) * (open ? 0.85f : 0.06f);
  }
  Rgb colour = lot.wall * 0.8f * lit;
  colour = mix(colour, inside, pane);
  Rgb board = lot.sign * lit;
  if (light.lit_windows > 0) board = board + lot.sign * 1.3f;
  const float letters = f.detail * interval_cover(v, f.metres, top - 0.58f, top - 0.3f) *
                        pulse_cover(f.wall.u * 2.1f, f.cells.scaled(lot.cell * 2.1f), 0.55f) *
                        interval_cover(f.wall.u / f.wall.length, Footprint(0.01f), 0.3f, 0.7f);
  board = mix(board, grey(0.9f) * (lit + grey(light.lit_windows)), 0.8f * letters);
  colour = mix(colour, board, sign);
  if (lot.awning) {
    const float cloth = interval_cover(v, f.metres, top - 1.55f, top - 0.75f);
    const float stripes = pulse_cover(f.wall.u * 0.9f, f.cells.scaled(lot.cell * 0.9f), 0.5f);
    colour = mix(colour, mix(lot.accent, grey(0.85f), stripes) * lit, cloth);
  }
  return colour;
}

Rgb ground_floor(const Facade& f, float v) {
  const Lot& lot = f.lot;
  const Rgb lit = light_at(f, v);
  Rgb wall = mix(lot.wall, lot.wall * 0.62f, interval_cover(v, f.metres, -1.0f, 0.6f));
  if (f.blank) return wall * lit;
  const bool door = f.wall.front &&
                    f.cell == lot.hash % std::max(1u, static_cast<uint32_t>(f.wall.length / lot.cell + 0.5f));
  const float low = door ? 0.12f : 0.95f;
  const float rows = interval_cover(v, f.metres, low, door ? 2.35f : lot.ground_height - 0.75f);
  if (door) {
    const Rgb leaf = mix(lot.accent, lot.trim, 0.8f * interval_cover(v, f.metres, 2.1f, 2.5f));
    return mix(wall, leaf, rows * f.window * f.detail) * lit;
  }
  const float inner = interval_cover(v, f.metres, low + 0.08f, lot.ground_height - 0.83f);
  const float window = f.window * rows;
  const float glass = std::min(window, f.glass * inner);
  return wall * lit * (1.0f - window) + lot.frame * lit * (window - glass) +
         glass_colour(f, v, hash32(lot.hash, f.cell, 77u)) * glass;
}

Facade prepare(const Scene& scene, const Camera& camera, const WallColumn& wall) {
  const Lot& lot = *wall.lot;
  const Light& light = scene.light;
  Facade f(scene, wall);
  f.dv = wall.z / camera.focal;
  f.metres = Footprint(f.dv);
  f.floors = Footprint(f.dv / lot.floor_height);
  f.cells = Footprint(std::max(1e-4f, wall.du / lot.cell));
  const Footprint& dt = f.cells;
  const float t = wall.u / lot.cell;
  const float width = lot.window_width;
  const float begin = 0.5f - 0.5f * width;
  const float frame = 0.09f / lot.cell;
  f.window = pulse_cover(t - begin, dt, width);
  f.glass = pulse_cover(t - begin - frame, dt, width - 2.0f * frame);
  f.glass *= 1.0f - pulse_cover(t - 0.5f + 0.4f * frame, dt, 0.8f * frame);
  f.shutter = pulse_cover(t - begin + 0.17f, dt, 0.16f) + pulse_cover(t - begin - width - 0.01f, dt, 0.16f);
  f.cell = static_cast<uint32_t>(std::max(0, fast_floor(t)));
  f.detail = clamp01(1.6f - 2.2f * std::max(dt.width, f.floors.width));
  f.blank = !wall.front && (lot.hash & 3u) != 0u;
  if (lot.arch) {
    const float from_middle = clamp01(std::abs(t - static_cast<float>(fast_floor(t)) - 0.5f) * 2.0f / width);
    f.arch = 0.16f * (1.0f - std::sqrt(1.0f - square(from_middle)));
  }
  const float facing = light.facing(wall.normal_l, wall.normal_s);
  f.sun = light.sun * facing;
  f.shadow = -100.0f;
  if (facing > 0 && wall.front && std::abs(light.sun_l) > 0.05f) {
    const float way = (scene.street.front + lot.front) / std::abs(light.sun_l);
    f.shadow = scene.street.roof(-lot.side, wall.s + way * light.sun_s) - way * light.sun_up;
  } else if (facing > 0 && !wall.front) {
    f.shadow = lot.height * 0.35f;  // the neighbour's shadow, about
  }
  f.penumbra = 1.0f / (0.35f + f.dv);
  f.open = wall.front ? 1.0f : 0.85f;
  f.lamp = light.lamp_colour * (1.25f * scene.lamplight(wall.l * 0.8f, wall.s));
  return f;
}

}  // namespace

void paint_wall(const Scene& scene, const Camera& camera, const WallColumn& wall, int begin, int end,
                Pixel* column) {
  const Facade f = prepare(scene, camera, wall);
  const Lot& lot = *wall.lot;
  const float fog = scene.light.fog_at(wall.z);
  const float cornice = lot.height - 0.45f;
  const bool shop = lot.shop && wall.front;
  UpperFloors upper(f);
  const float stain_u = wall.u * 3.0f + static_cast<float>(lot.hash & 255u);
  const float brick_u = wall.u * 9.0f;
  float weathered = 1;
  for (int y = begin; y < end; ++y) {
    const float v = camera.height - (static_cast<float>(y) + 0.5f - camera.horizon) * f.dv;
    Rgb colour;
    if (v > cornice) {
      const float edge = clamp01((v - cornice) / f.dv);
      const Rgb high = v < lot.height ? lot.trim : lot.wall;
      colour = mix(lot.wall, high, edge) * light_at(f, v);
    } else if (v > lot.ground_height) {
      colour = upper.colour(v);
    } else {
      colour = shop ? shop_floor(f, v) : ground_floor(f, v);
    }
    // Weather stains plaster in broad patches, bricks differ a little; two rows share a look-up.
    if (y == begin || (y & 1) == 0) {
      const float stain = scene.textures.clouds.nearest(stain_u, v * 5.0f);
      const float brick = scene.textures.grain.nearest(brick_u, v * 14.0f);
      weathered = 0.86f + 0.22f * stain + f.detail * 0.12f * (brick - 0.5f);
    }
    colour = colour * weathered;
    column[y] = {mix(colour, scene.light.fog, fog), wall.z};
  }
}

}  // namespace nowhere::synth
