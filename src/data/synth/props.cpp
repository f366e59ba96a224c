#include <array>
#include <numbers>

#include "data/synth/painters.h"
#include "data/synth/polygon.h"

namespace nowhere::synth {
namespace {

// Things drawn flat, facing the camera: coordinates in metres from the foot.
class Board {
 public:
  Board(const Scene& scene, const Camera& camera, float l, float s, Canvas& canvas)
      : scene_(scene),
        camera_(camera),
        canvas_(canvas),
        at_(camera.plan(l, s)),
        fog_(scene.light.fog_at(std::max(0.0f, at_.z))) {}

  float z() const { return at_.z; }
  float pixels() const { return camera_.focal / at_.z; }  // per metre
  Rgb fade(Rgb colour) const { return mix(colour, scene_.light.fog, fog_); }

  // x0..x1 at height h0, shifted by `lean` at height h1.
  void bar(float x0, float x1, float h0, float h1, Rgb colour, float lean = 0) {
    const std::array<ScreenPoint, 4> points = {point(x0 + lean, h1), point(x1 + lean, h1), point(x1, h0),
                                               point(x0, h0)};
    const Rgb seen = fade(colour);
    fill_polygon(canvas_, points, {seen, seen, 1.0f}, at_.z);
  }
  void disc(float x, float h, float rx, float rh, Rgb colour) {
    std::array<ScreenPoint, 12> points;
    for (size_t i = 0; i < points.size(); ++i) {
      const float angle = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / 12.0f;
      points[i] = point(x + rx * std::cos(angle), h + rh * std::sin(angle));
    }
    const Rgb seen = fade(colour);
    fill_polygon(canvas_, points, {seen, seen, 1.0f}, at_.z);
  }
  ScreenPoint point(float x, float h) const {
    return {camera_.screen_x(at_) + x * pixels(), camera_.row(h, at_.z), at_.z};
  }

 private:
  const Scene& scene_;
  const Camera& camera_;
  Canvas& canvas_;
  PlanPoint at_;
  float fog_;
};

// Colours of a tree in this light, by the sprite's shade.
struct Foliage {
  Rgb dark;
  Rgb bright;
  Rgb bark;
};

void paint_sprite(Canvas& canvas, const Sprite& sprite, float left, float top, float size, float z, bool flip,
                  const Foliage& colours) {
  size_t k = 0;
  while (k + 1 < sprite.levels.size() && static_cast<float>(sprite.levels[k].size) > 1.6f * size) ++k;
  const Sprite::Level& level = sprite.levels[k];
  const float scale = static_cast<float>(level.size) / size;
  const int x0 = std::max(0, static_cast<int>(std::ceil(left)));
  const int x1 = std::min(kWidth, static_cast<int>(left + size));
  const int y0 = std::max(0, static_cast<int>(std::ceil(top)));
  const int y1 = std::min(kHeight, static_cast<int>(top + size));
  const int last = level.size - 2;
  for (int x = x0; x < x1; ++x) {
    float u = (static_cast<float>(x) - left) * scale - 0.5f;
    if (flip) u = static_cast<float>(level.size) - 1.0f - u;
    const int i = std::clamp(static_cast<int>(u), 0, last);
    const float fu = clamp01(u - static_cast<float>(i));
    const Sprite::Texel* near =
        level.texels.data() + static_cast<size_t>(i) * static_cast<size_t>(level.size);
    const Sprite::Texel* far = near + level.size;
    Pixel* column = canvas.column(x);
    for (int y = y0; y < y1; ++y) {
      const float v = (static_cast<float>(y) - top) * scale - 0.5f;
      const int j = std::clamp(static_cast<int>(v), 0, last);
      const float a = near[j].alpha + far[j].alpha + near[j + 1].alpha + far[j + 1].alpha;
      if (a <= 0.02f || column[y].depth < z) continue;
      const float fv = clamp01(v - static_cast<float>(j));
      const float alpha =
          mix(mix(near[j].alpha, far[j].alpha, fu), mix(near[j + 1].alpha, far[j + 1].alpha, fu), fv);
      const float shade =
          mix(mix(near[j].shade, far[j].shade, fu), mix(near[j + 1].shade, far[j + 1].shade, fu), fv);
      const Rgb colour = shade < 0 ? colours.bark : mix(colours.dark, colours.bright, shade);
      blend(column[y], colour, alpha, z);
    }
  }
}

void paint_tree(const Scene& scene, const Camera& camera, const Prop& prop, Canvas& canvas) {
  const Board board(scene, camera, prop.l, prop.s, canvas);
  const Light& light = scene.light;
  const float sunlit = luma(light.sun) > 0 ? scene.sunlight(prop.l, prop.s, 0.6f * prop.height) : 0.0f;
  const Rgb lamp = light.lamp_colour * (0.5f * scene.lamplight(prop.l, prop.s));
  const Rgb leaf = mix(prop.colour, Rgb{0.75f, 0.78f, 0.84f}, 0.55f * light.snow);
  Foliage colours;
  colours.dark = board.fade(leaf * (light.ambient * 0.30f + lamp * 0.3f));
  colours.bright = board.fade(leaf * (light.ambient * 1.5f + light.sun * (1.25f * sunlit) + lamp));
  colours.bark = board.fade(screen(0x5a4a3c) * (light.ambient + light.sun * (0.4f * sunlit) + lamp));
  const float size = prop.height * board.pixels() * (prop.kind == PropKind::kBush ? 1.7f : 1.0f);
  const ScreenPoint foot = board.point(0, 0);
  const bool flip = light.sun_l * camera.cos_yaw - light.sun_s * camera.sin_yaw > 0;
  const float sink = prop.kind == PropKind::kBush ? 0.42f * size : 0.0f;
  paint_sprite(canvas,
               scene.textures.tree(prop.kind == PropKind::kBush ? TreeKind::kRound : prop.tree, prop.hash),
               foot.x - 0.5f * size, foot.y - size + sink, size, board.z(), flip, colours);
}

void paint_lamp(const Scene& scene, const Camera& camera, const Prop& prop, Canvas& canvas) {
  Board board(scene, camera, prop.l, prop.s, canvas);
  const Rgb steel = screen(0x55585a) * standing_light(scene, prop.l, prop.s, 4.0f);
  const float half = std::max(0.06f, 0.45f / board.pixels());
  board.bar(-half, half, 0.0f, prop.height, steel);
  // The arm reaches over the road; seen along the street it points to the middle of the picture.
  const float reach = (prop.l > 0 ? -1.0f : 1.0f) * 1.4f * camera.cos_yaw;
  board.bar(std::min(0.0f, reach), std::max(0.0f, reach), prop.height - 0.10f, prop.height, steel);
  const Rgb head = mix(steel, scene.light.lamp_colour * 5.0f, scene.light.lamps);
  board.bar(reach - 0.3f, reach + 0.3f, prop.height - 0.2f, prop.height - 0.04f, head);
}

void paint_pole(const Scene& scene, const Camera& camera, const Prop& prop, Canvas& canvas) {
  Board board(scene, camera, prop.l, prop.s, canvas);
  const Rgb wood = screen(0x5c4c40) * standing_light(scene, prop.l, prop.s, 4.0f);
  const float half = std::max(0.1f, 0.45f / board.pixels());
  board.bar(-half, half, 0.0f, prop.height, wood);
  board.bar(-0.9f * camera.cos_yaw - 0.05f, 0.9f * camera.cos_yaw + 0.05f, prop.height - 0.75f,
            prop.height - 0.6f, wood);
  for (const float offset : {-0.8f, 0.0f, 0.8f}) {
    ScreenPoint last{};
    for (int i = 0; i <= 8; ++i) {
      const float t = static_cast<float>(i) / 8.0f;
      const float sag = 4.0f * t * (1.0f - t) * 0.8f;
      const ScreenPoint p =
          camera.project(prop.l + offset, prop.s + t * prop.reach, prop.height - 0.5f - sag);
      if (i > 0 && last.z > 0.5f && p.z > 0.5f) {
        const float thick = 0.5f + 5.0f / p.z;
        const std::array<ScreenPoint, 4> wire = {
            last, p, {p.x, p.y + thick, p.z}, {last.x, last.y + thick, last.z}};
        const Rgb colour = scene.fade(scene.light.ambient * 0.05f, p.z);
        fill_polygon(canvas, wire, {colour, colour, 0.75f}, p.z);
      }
      last = p;
    }
  }
}

void paint_person(const Scene& scene, const Camera& camera, const Prop& prop, float s, int frame,
                  Canvas& canvas) {
  Board board(scene, camera, prop.l, s, canvas);
  const Rgb lit = standing_light(scene, prop.l, s, 1.2f);
  const float h = prop.height;
  const float stride = 0.14f * h * std::sin(static_cast<float>(frame) * 1.7f + unit(prop.hash) * 6.0f);
  const Rgb skin = mix(screen(0xd8a888), screen(0x6a4632), unit(hash32(prop.hash))) * lit;
  const Rgb legs = mix(screen(0x2a3448), screen(0x4a4038), unit(hash32(prop.hash, 1u))) * lit;
  const Rgb coat = prop.colour * lit;
  board.bar(-0.07f * h + stride, 0.0f + stride * 0.9f, 0.0f, 0.48f * h, legs, -stride * 0.8f);
  board.bar(0.0f - stride, 0.07f * h - stride * 0.9f, 0.0f, 0.48f * h, legs * 0.85f, stride * 0.8f);
  board.bar(-0.105f * h, 0.105f * h, 0.45f * h, 0.72f * h, coat);
  board.disc(0, 0.74f * h, 0.115f * h, 0.08f * h, coat);
  board.bar(-0.15f * h, -0.10f * h, 0.44f * h, 0.76f * h, coat * 0.8f, 0.02f * h);
  board.bar(0.10f * h, 0.15f * h, 0.44f * h, 0.76f * h, coat * 0.8f, -0.02f * h);
  board.disc(0, 0.91f * h, 0.055f * h, 0.075f * h, skin);
  board.disc(0, 0.945f * h, 0.058f * h, 0.05f * h, screen(0x3a2c22) * lit);
}

void paint_signal(const Scene& scene, const Camera& camera, const Prop& prop, Canvas& canvas) {
  Board board(scene, camera, prop.l, prop.s, canvas);
  const Rgb lit = standing_light(scene, prop.l, prop.s, 2.5f);
  const float half = std::max(0.05f, 0.45f / board.pixels());
  board.bar(-half, half, 0.0f, prop.height, lit * 0.12f);
  board.bar(-0.18f, 0.18f, prop.height - 0.1f, prop.height + 0.85f, lit * 0.03f);
  const bool go = (prop.hash & 1u) != 0u;
  board.disc(0, prop.height + 0.66f, 0.11f, 0.11f, go ? Rgb{0.10f, 0.01f, 0.01f} : Rgb{2.6f, 0.15f, 0.08f});
  board.disc(0, prop.height + 0.38f, 0.11f, 0.11f, Rgb{0.10f, 0.06f, 0.01f});
  board.disc(0, prop.height + 0.10f, 0.11f, 0.11f, go ? Rgb{0.15f, 2.2f, 0.9f} : Rgb{0.01f, 0.08f, 0.04f});
}

void paint_sign(const Scene& scene, const Camera& camera, const Prop& prop, Canvas& canvas) {
  Board board(scene, camera, prop.l, prop.s, canvas);
  const Rgb lit = standing_light(scene, prop.l, prop.s, 2.5f);
  const float half = std::max(0.03f, 0.4f / board.pixels());
  board.bar(-half, half, 0.0f, prop.height, lit * 0.35f);
  const Rgb white = lit * 0.85f;
  switch (prop.hash % 3u) {
    case 0:
      board.disc(0, prop.height, 0.34f, 0.34f, screen(0xc02020) * lit);
      board.disc(0, prop.height, 0.24f, 0.24f, white);
      break;
    case 1:
      board.bar(-0.32f, 0.32f, prop.height - 0.32f, prop.height + 0.32f, screen(0x1f5fb0) * lit);
      board.bar(-0.12f, 0.12f, prop.height - 0.2f, prop.height + 0.2f, white);
      break;
    default:
      board.bar(-0.6f, 0.6f, prop.height - 0.15f, prop.height + 0.2f, screen(0x1d6b45) * lit);
  }
}

}  // namespace

void paint_prop(const Scene& scene, const Camera& camera, const Prop& prop, float s, int frame,
                Canvas& canvas) {
  switch (prop.kind) {
    case PropKind::kTree:
    case PropKind::kBush:
      return paint_tree(scene, camera, prop, canvas);
    case PropKind::kLamp:
      return paint_lamp(scene, camera, prop, canvas);
    case PropKind::kPole:
      return paint_pole(scene, camera, prop, canvas);
    case PropKind::kSignal:
      return paint_signal(scene, camera, prop, canvas);
    case PropKind::kPerson:
      return paint_person(scene, camera, prop, s, frame, canvas);
    case PropKind::kSign:
      return paint_sign(scene, camera, prop, canvas);
    case PropKind::kBin: {
      Board board(scene, camera, prop.l, prop.s, canvas);
      board.bar(-0.25f, 0.25f, 0.0f, prop.height,
                screen(0x3c4a40) * standing_light(scene, prop.l, prop.s, 1.0f));
    }
  }
}

}  // namespace nowhere::synth
