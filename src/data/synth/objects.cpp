#include <array>
#include <numbers>

#include "data/synth/painters.h"
#include "data/synth/polygon.h"

namespace nowhere::synth {
namespace {

constexpr float kFarthest = 190.0f;
constexpr float kNearest = 0.9f;

struct Thing {
  float z = 0;
  float s = 0;
  const Car* car = nullptr;
  const Prop* prop = nullptr;
};

// Looking along the street, a car beside the camera would show as a sliver at the edge.
float nearest_car(const Camera& camera) {
  return std::abs(camera.cos_yaw) > 0.7f ? 3.2f : -1.5f;
}

float length_of(const Car& car) {
  return car.kind == CarKind::kBus ? 11.0f : 4.6f;
}

// Out of the way: the camera's own car is never met.
bool in_own_way(const Scene& scene, const Camera& camera, const Car& car, float s) {
  return !car.parked && std::abs(car.l - scene.drive.start_l) < 1.2f &&
         std::abs(s - camera.s) < 0.5f * length_of(car) + 3.5f;
}

void add_ellipse(Canvas& canvas, const Camera& camera, float l, float s, float rl, float rs, float alpha) {
  std::array<Corner, 12> ring;
  for (size_t i = 0; i < ring.size(); ++i) {
    const float angle = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / 12.0f;
    ring[i] = {camera.plan(l + rl * std::cos(angle), s + rs * std::sin(angle)), 0.0f};
  }
  const float z = camera.plan(l, s).z;
  if (z < 0.5f) return;
  fill_face(canvas, camera, ring, {{}, {}, alpha}, kGroundDepth, true);
}

void tree_shadow(const Scene& scene, const Camera& camera, const Prop& tree, Canvas& canvas) {
  const Light& light = scene.light;
  const float lift = 0.6f * tree.height / std::max(0.25f, light.sun_up);
  const float l = tree.l - light.sun_l * lift;
  const float s = tree.s - light.sun_s * lift;
  if (std::abs(l) > scene.street.front || scene.sunlight(tree.l, tree.s, 0.6f * tree.height) < 0.3f) return;
  const float strength = 0.08f * scene.sunlight(l, s, 0);
  const float r = tree.height * (tree.tree == TreeKind::kRound ? 0.42f : 0.27f);
  const float stretch = 1.0f / std::max(0.35f, light.sun_up);
  const float wide = mix(1.0f, stretch, std::abs(light.sun_l));
  const float deep = mix(1.0f, stretch, std::abs(light.sun_s));
  // Clumps of leaves rather than one disc: the shade is dappled and its edge frays.
  for (uint32_t i = 0; i < 26; ++i) {
    const float angle = 6.2832f * unit(hash32(tree.hash, i));
    const float out = 0.75f * r * std::sqrt(unit(hash32(tree.hash, i, 1u)));
    const float size = r * (0.22f + 0.28f * unit(hash32(tree.hash, i, 2u)));
    add_ellipse(canvas, camera, l + out * wide * std::cos(angle), s + out * deep * std::sin(angle),
                size * wide, size * deep, strength);
  }
}

void car_shadow(const Scene& scene, const Camera& camera, const Car& car, float s, Canvas& canvas) {
  const float half = 0.5f * length_of(car);
  const Light& light = scene.light;
  float shift_l = 0;
  float shift_s = 0;
  if (luma(light.sun) > 0 && scene.sunlight(car.l, s, 0.5f) > 0.4f) {
    shift_l = -light.sun_l * 0.7f / std::max(0.3f, light.sun_up);
    shift_s = -light.sun_s * 0.7f / std::max(0.3f, light.sun_up);
  }
  const auto quad = [&](float grow, float dl, float ds, float alpha) {
    const float w = 0.9f + grow;
    const float h = half + grow;
    const std::array<Corner, 4> ring = {Corner{camera.plan(car.l + dl - w, s + ds - h), 0},
                                        {camera.plan(car.l + dl + w, s + ds - h), 0},
                                        {camera.plan(car.l + dl + w, s + ds + h), 0},
                                        {camera.plan(car.l + dl - w, s + ds + h), 0}};
    fill_face(canvas, camera, ring, {{}, {}, alpha}, kGroundDepth, true);
  };
  quad(0.25f, 0, 0, 0.22f);
  quad(0.08f, 0, 0, 0.45f);
  if (shift_l != 0 || shift_s != 0) quad(0.0f, shift_l, shift_s, 0.45f);
}

}  // namespace

void paint_shadows(const Scene& scene, const Camera& camera, int frame, Canvas& canvas) {
  if (luma(scene.light.sun) > 0) {
    for (const Prop& prop : scene.street.props) {
      const float z = camera.plan(prop.l, prop.s).z;
      if (prop.kind == PropKind::kTree && z > -8.0f && z < 110.0f) tree_shadow(scene, camera, prop, canvas);
    }
  }
  for (const Car& car : scene.street.cars) {
    const float s = car.s + car.speed * static_cast<float>(frame);
    const float z = camera.plan(car.l, s).z;
    if (z > nearest_car(camera) && z < 120.0f && !in_own_way(scene, camera, car, s))
      car_shadow(scene, camera, car, s, canvas);
  }
}

void paint_objects(const Scene& scene, const Camera& camera, int frame, Canvas& canvas) {
  std::vector<Thing> things;
  const auto time = static_cast<float>(frame);
  for (const Car& car : scene.street.cars) {
    const float s = car.s + car.speed * time;
    const float z = camera.plan(car.l, s).z;
    if (z > nearest_car(camera) && z < kFarthest && !in_own_way(scene, camera, car, s))
      things.push_back({z, s, &car, nullptr});
  }
  for (const Prop& prop : scene.street.props) {
    const float s = prop.s + prop.speed * time;
    const PlanPoint at = camera.plan(prop.l, s);
    if (at.z < kNearest || at.z > kFarthest || std::abs(at.x) > at.z * 0.95f + 8.0f) continue;
    things.push_back({at.z, s, nullptr, &prop});
  }
  std::stable_sort(things.begin(), things.end(), [](const Thing& a, const Thing& b) { return a.z > b.z; });
  for (const Thing& thing : things) {
    if (thing.car) {
      paint_car(scene, camera, *thing.car, thing.s, canvas);
    } else {
      paint_prop(scene, camera, *thing.prop, thing.s, frame, canvas);
    }
  }
}

}  // namespace nowhere::synth
