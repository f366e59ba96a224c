#include <array>
#include <numbers>

#include "data/synth/painters.h"
#include "data/synth/polygon.h"

namespace nowhere::synth {
namespace {

// Metres; `along` runs from the tail (-) to the nose (+).
struct Shape {
  float length, width, height, belt;
  float cabin_tail, cabin_nose;  // of the windows' lower edge
  float roof_tail, roof_nose;
};

Shape shape_of(CarKind kind) {
  switch (kind) {
    case CarKind::kHatch:
      return {4.0f, 1.74f, 1.48f, 0.88f, -1.92f, 1.05f, -1.55f, 0.30f};
    case CarKind::kTaxi:
    case CarKind::kSedan:
      return {4.6f, 1.80f, 1.44f, 0.88f, -1.65f, 1.15f, -1.00f, 0.35f};
    case CarKind::kSuv:
      return {4.6f, 1.88f, 1.74f, 1.05f, -2.22f, 1.15f, -1.95f, 0.45f};
    case CarKind::kVan:
      return {5.1f, 1.95f, 2.15f, 1.15f, -2.50f, 2.05f, -2.45f, 1.25f};
    case CarKind::kBus:
      return {11.0f, 2.5f, 3.05f, 1.25f, -5.45f, 5.45f, -5.4f, 5.3f};
  }
  return {4.0f, 1.74f, 1.48f, 0.88f, -1.9f, 1.05f, -1.5f, 0.3f};
}

class CarPainter {
 public:
  CarPainter(const Scene& scene, const Camera& camera, const Car& car, float s, Canvas& canvas)
      : scene_(scene), camera_(camera), car_(car), s_(s), canvas_(canvas), shape_(shape_of(car.kind)) {
    z_ = camera.plan(car.l, s).z;
    fog_ = scene.light.fog_at(std::max(0.0f, z_));
    lit_ = standing_light(scene, car.l, s, 1.0f);
    // Depth of the whole car is that of its near end, so that it never fights with itself.
    depth_ = z_ - 0.5f * shape_.length;
    if (depth_ < 0.6f) depth_ = 0.6f;
  }

  void paint() {
    sides();
    ends();
    deck();
    cabin();
  }

 private:
  Corner corner(float across, float along, float height) const {
    return {camera_.plan(car_.l + car_.heading * across, s_ + car_.heading * along), height};
  }
  Paint tint(Rgb top, Rgb bottom) const {
    return {mix(top, scene_.light.fog, fog_), mix(bottom, scene_.light.fog, fog_), 1.0f};
  }
  void face(const std::array<Corner, 4>& corners, const Paint& paint) {
    fill_face(canvas_, camera_, corners, paint, depth_);
  }
  // A rectangle on the tail (end -1) or the nose (1), seen from outside.
  void end_patch(float end, float x0, float x1, float y0, float y1, const Paint& paint) {
    const float a = end * (0.5f * shape_.length + 0.01f);
    face({corner(end * -x0, a, y1), corner(end * -x1, a, y1), corner(end * -x1, a, y0),
          corner(end * -x0, a, y0)},
         paint);
  }
  // A rectangle on the right (1) or left (-1) flank.
  void flank(float side, float a0, float a1, float y0, float y1, const Paint& paint) {
    const float x = side * 0.5f * shape_.width;
    const float from = side > 0 ? a0 : a1;
    const float to = side > 0 ? a1 : a0;
    face({corner(x, from, y1), corner(x, to, y1), corner(x, to, y0), corner(x, from, y0)}, paint);
  }
  float facing(float across, float along) const {
    return scene_.light.facing(car_.heading * across, car_.heading * along);
  }
  Rgb shaded(Rgb paint, float sun) const {
    return paint * (lit_ * (0.75f + 0.5f * sun)) + scene_.light.horizon * 0.035f;
  }

  void sides() {
    const float half = 0.5f * shape_.length;
    for (const float side : {-1.0f, 1.0f}) {
      const Rgb body = shaded(car_.paint, facing(side, 0));
      flank(side, -half, half, 0.30f, shape_.belt, tint(body * 1.12f, body * 0.62f));
      flank(side, -half, half, 0.24f, 0.36f, tint(lit_ * 0.05f, lit_ * 0.04f));
      const float axle = 0.5f * shape_.length - (car_.kind == CarKind::kBus ? 2.2f : 0.82f);
      for (const float along : {-axle, axle}) wheel(side, along);
    }
  }

  void wheel(float side, float along) {
    const float x = side * (0.5f * shape_.width + 0.01f);
    const float radius = car_.kind == CarKind::kBus ? 0.48f : shape_.height > 1.6f ? 0.37f : 0.33f;
    for (const float scale : {1.0f, 0.55f}) {
      std::array<Corner, 12> rim;
      for (size_t i = 0; i < rim.size(); ++i) {
        const float angle = -side * 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / 12.0f;
        rim[i] =
            corner(x, along + scale * radius * std::cos(angle), radius + scale * radius * std::sin(angle));
      }
      const Rgb colour = scale == 1.0f ? lit_ * 0.022f : lit_ * 0.22f;
      fill_face(canvas_, camera_, rim, tint(colour, colour), depth_);
      if (z_ > 60) break;
    }
  }

  void ends() {
    const float w = 0.5f * shape_.width;
    const float belt = shape_.belt;
    const float lamps = car_.parked ? 0.0f : scene_.light.lamps;
    for (const float end : {-1.0f, 1.0f}) {
      const Rgb body = shaded(car_.paint, facing(0, end));
      end_patch(end, -w, w, 0.30f, belt, tint(body * 1.12f, body * 0.7f));
      end_patch(end, -w, w, 0.26f, 0.46f, tint(lit_ * 0.07f, lit_ * 0.05f));
      const Paint plate = tint(lit_ * 0.75f, lit_ * 0.7f);
      if (z_ < 70) end_patch(end, -0.26f, 0.26f, 0.50f, 0.61f, plate);
      const float low = belt - 0.24f;
      const float high = belt - 0.06f;
      Rgb lamp = end > 0 ? lit_ * 0.8f + Rgb{3.0f, 2.8f, 2.3f} * lamps
                         : Rgb{0.35f, 0.03f, 0.03f} * lit_ + Rgb{1.9f, 0.10f, 0.06f} * lamps;
      if (end < 0 && !car_.parked && (car_.hash & 3u) == 0u) lamp = lamp + Rgb{1.4f, 0.1f, 0.06f};
      for (const float side : {-1.0f, 1.0f}) {
        end_patch(end, side > 0 ? w - 0.42f : -w + 0.03f, side > 0 ? w - 0.03f : -w + 0.42f, low, high,
                  tint(lamp, lamp));
      }
      if (end > 0) end_patch(end, -0.42f, 0.42f, low - 0.02f, high - 0.04f, tint(lit_ * 0.04f, lit_ * 0.04f));
    }
  }

  // Bonnet and boot from above.
  void deck() {
    const float w = 0.5f * shape_.width;
    const float half = 0.5f * shape_.length;
    const Rgb top = shaded(car_.paint, 0.7f) + scene_.light.zenith * 0.10f;
    face({corner(-w, half, shape_.belt), corner(w, half, shape_.belt), corner(w, -half, shape_.belt),
          corner(-w, -half, shape_.belt)},
         tint(top * 1.15f, top));
  }

  void cabin() {
    const Shape& c = shape_;
    const float w = 0.5f * c.width - 0.02f;
    const float r = w - (c.height > 2.0f ? 0.06f : 0.17f);
    const Rgb sky = mix(scene_.light.horizon, scene_.light.zenith, 0.5f);
    const Paint glass = tint(sky * 0.42f + lit_ * 0.02f, sky * 0.10f + lit_ * 0.02f);
    const auto pane = [&](const std::array<Corner, 4>& outer, Rgb body, float inset) {
      face(outer, tint(body * 1.1f, body * 0.95f));
      if (inset > 0) face(shrink(outer, inset), glass);
    };
    const bool panel_van = c.height > 2.0f && c.height < 2.5f && (car_.hash & 4u) != 0u;
    for (const float side : {-1.0f, 1.0f}) {
      const Rgb body = shaded(car_.paint, facing(side, 0));
      const float tail = side > 0 ? c.cabin_tail : c.cabin_nose;
      const float nose = side > 0 ? c.cabin_nose : c.cabin_tail;
      const float roof_tail = side > 0 ? c.roof_tail : c.roof_nose;
      const float roof_nose = side > 0 ? c.roof_nose : c.roof_tail;
      pane({corner(side * r, roof_tail, c.height), corner(side * r, roof_nose, c.height),
            corner(side * w, nose, c.belt), corner(side * w, tail, c.belt)},
           body, panel_van ? 0.0f : 0.82f);
      if (panel_van || z_ > 50) continue;
      // The pillar between the doors.
      const float middle = 0.5f * (c.cabin_tail + c.cabin_nose) - 0.1f;
      const float a0 = middle - side * 0.06f;
      const float a1 = middle + side * 0.06f;
      face({corner(side * r, a0, c.height), corner(side * r, a1, c.height), corner(side * w, a1, c.belt),
            corner(side * w, a0, c.belt)},
           tint(body * 0.5f, body * 0.5f));
    }
    pane({corner(-r, c.roof_tail, c.height), corner(r, c.roof_tail, c.height),
          corner(w, c.cabin_tail, c.belt), corner(-w, c.cabin_tail, c.belt)},
         shaded(car_.paint, facing(0, -1)), panel_van ? 0.0f : 0.84f);
    pane({corner(r, c.roof_nose, c.height), corner(-r, c.roof_nose, c.height),
          corner(-w, c.cabin_nose, c.belt), corner(w, c.cabin_nose, c.belt)},
         shaded(car_.paint, facing(0, 1)), 0.88f);
    const Rgb top = shaded(car_.paint, 0.7f) + scene_.light.zenith * 0.10f;
    face({corner(-r, c.roof_nose, c.height), corner(r, c.roof_nose, c.height),
          corner(r, c.roof_tail, c.height), corner(-r, c.roof_tail, c.height)},
         tint(top, top));
  }

  static std::array<Corner, 4> shrink(const std::array<Corner, 4>& outer, float scale) {
    Corner middle;
    for (const Corner& c : outer) {
      middle.at.x += 0.25f * c.at.x, middle.at.z += 0.25f * c.at.z, middle.height += 0.25f * c.height;
    }
    std::array<Corner, 4> inner = outer;
    for (Corner& c : inner) {
      c.at = {mix(middle.at.x, c.at.x, scale), mix(middle.at.z, c.at.z, scale)};
      c.height = mix(middle.height, c.height, scale);
    }
    return inner;
  }

  const Scene& scene_;
  const Camera& camera_;
  const Car& car_;
  float s_;
  Canvas& canvas_;
  Shape shape_;
  float z_ = 0;
  float depth_ = 0;
  float fog_ = 0;
  Rgb lit_;
};

}  // namespace

void paint_car(const Scene& scene, const Camera& camera, const Car& car, float s, Canvas& canvas) {
  CarPainter(scene, camera, car, s, canvas).paint();
}

}  // namespace nowhere::synth
