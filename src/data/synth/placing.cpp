#include "data/synth/street.h"

namespace nowhere::synth {
namespace {

Rgb car_paint(Random& random) {
  static constexpr uint32_t kPaints[] = {0xe8e8e6, 0xd8dadc, 0x9a9ea2, 0x5a5e64, 0x1c1d20,
                                         0x24282e, 0x7c1f22, 0xb02a2a, 0x20406c, 0x3a6a9c,
                                         0x2f4a3a, 0xb8a88a, 0xd8b23a, 0x5c3a2c};
  return screen(kPaints[random.below(std::size(kPaints))]);
}

CarKind car_kind(Random& random) {
  const double x = random.uniform();
  return x < 0.36 ? CarKind::kHatch : x < 0.66 ? CarKind::kSedan : x < 0.85 ? CarKind::kSuv : CarKind::kVan;
}

Car make_car(Random& random) {
  Car car;
  car.kind = car_kind(random);
  car.paint = car_paint(random);
  car.hash = static_cast<uint32_t>(random.bits());
  if (car.kind == CarKind::kVan && random.chance(0.6)) car.paint = screen(0xe6e6e2);
  if (random.chance(0.06)) car.kind = CarKind::kTaxi, car.paint = screen(0xe0b020);
  return car;
}

bool near_any(const std::vector<float>& places, float s, float distance) {
  return std::any_of(places.begin(), places.end(), [&](float p) { return std::abs(p - s) < distance; });
}

void park(Street& street, const CityStyle& city, Random& random) {
  const float density = uniform(random, 0.25f, 0.85f);
  for (const int side : {-1, 1}) {
    const bool with_traffic = (side > 0) != city.left_hand;
    for (float s = street.begin; s < street.end; s += uniform(random, 5.4f, 6.6f)) {
      if (!random.chance(density) || near_any(street.crossings, s, 12.0f)) continue;
      Car car = make_car(random);
      car.parked = true;
      car.s = s;
      car.l = static_cast<float>(side) * (street.half - 1.08f + uniform(random, -0.1f, 0.1f));
      car.heading = with_traffic ? 1.0f : -1.0f;
      street.cars.push_back(car);
    }
  }
}

// Cars of the camera's own lane keep their distance; the others come and go.
void drive_along(Street& street, const CityStyle& city, const Drive& drive, Random& random) {
  const float own = drive.direction();
  for (const float direction : {1.0f, -1.0f}) {
    for (int lane = 0; lane < city.lanes; ++lane) {
      float s = uniform(random, 9.0f, 45.0f) / city.traffic;
      const float speed = direction * drive.step * uniform(random, 0.9f, 1.3f);
      if (direction != own) s -= 25.0f;
      for (; s < street.end; s += uniform(random, 12.0f, 70.0f) / (0.3f + city.traffic)) {
        Car car = make_car(random);
        if (random.chance(0.05)) car.kind = CarKind::kBus, car.paint = random.pick(city.accents);
        car.l = lane_l(city, direction, lane) + uniform(random, -0.2f, 0.2f);
        car.heading = direction;
        car.s = s;
        car.speed = direction == own && lane == 0 ? own * drive.step : speed;
        if (direction != own)
          car.s = s + std::abs(speed) * static_cast<float>(drive.frames) * (lane == 0 ? 0.5f : 0.2f);
        street.cars.push_back(car);
      }
    }
  }
}

void plant(Street& street, const CityStyle& city, Random& random) {
  const float spacing = uniform(random, 7.0f, 11.0f);
  const TreeKind kind = random.pick(city.trees);
  const float usual = uniform(random, 5.5f, 9.5f);
  for (const int side : {-1, 1}) {
    for (float s = street.begin; s < street.end; s += spacing) {
      if (near_any(street.crossings, s, 9.0f)) continue;
      Prop tree;
      tree.hash = static_cast<uint32_t>(random.bits());
      tree.tree = random.chance(0.85) ? kind : random.pick(city.trees);
      tree.s = s + uniform(random, -0.8f, 0.8f);
      tree.height = usual * uniform(random, 0.75f, 1.25f);
      tree.colour =
          city.leaf * uniform(random, 0.75f, 1.25f) * Rgb{uniform(random, 0.85f, 1.2f), 1.0f, 0.95f};
      tree.l = static_cast<float>(side) * (street.half + uniform(random, 0.9f, 1.2f));
      if (random.chance(city.tree_chance)) street.props.push_back(tree);
      if (!city.garden) continue;
      tree.l = static_cast<float>(side) *
               uniform(random, street.half + street.pavement + 1.0f, street.front + 18.0f);
      tree.s += uniform(random, -3.0f, 3.0f);
      if (std::abs(tree.l) < street.front - 1.0f)
        tree.kind = PropKind::kBush, tree.height = uniform(random, 0.8f, 1.8f);
      if (random.chance(city.tree_chance)) street.props.push_back(tree);
    }
  }
}

void light_up(Street& street, const CityStyle& city, Random& random) {
  const float spacing = uniform(random, 24.0f, 34.0f);
  const bool both = city.lanes > 1 || random.chance(0.5);
  int i = 0;
  for (float s = street.begin + 4.0f; s < street.end; s += both ? spacing : 0.7f * spacing, ++i) {
    for (const int side : {-1, 1}) {
      if (!both && (i & 1) == (side > 0 ? 1 : 0)) continue;
      Prop lamp;
      lamp.kind = PropKind::kLamp;
      lamp.l = static_cast<float>(side) * street.lamp_l;
      lamp.s = s;
      lamp.height = street.lamp_height;
      street.props.push_back(lamp);
      if (!city.wires || side < 0) continue;
      lamp.kind = PropKind::kPole;
      lamp.l += 0.5f;
      lamp.s += 7.0f;
      lamp.height = 8.5f;
      lamp.reach = both ? spacing : 1.4f * spacing;
      street.props.push_back(lamp);
    }
  }
}

void people(Street& street, const CityStyle& city, const Drive& drive, Random& random) {
  const float spacing = 26.0f / (0.35f + city.traffic);
  const float pace = drive.hour == Hour::kNight ? 2.0f : 1.0f;
  for (float s = street.begin; s < street.end; s += uniform(random, 0.2f, 2.0f) * spacing * pace) {
    Prop person;
    person.kind = PropKind::kPerson;
    person.hash = static_cast<uint32_t>(random.bits());
    person.s = s;
    person.l =
        (random.chance(0.5) ? 1.0f : -1.0f) * (street.half + uniform(random, 0.7f, 0.95f) * street.pavement);
    person.height = uniform(random, 1.55f, 1.9f);
    person.speed = uniform(random, 0.3f, 0.8f) * (random.chance(0.5) ? 1.0f : -1.0f);
    person.colour = car_paint(random) * 0.8f;
    street.props.push_back(person);
  }
}

void furnish(Street& street, Random& random) {
  for (const float s : street.crossings) {
    for (const int side : {-1, 1}) {
      Prop prop;
      prop.hash = static_cast<uint32_t>(random.bits());
      prop.kind = random.chance(0.5) ? PropKind::kSignal : PropKind::kSign;
      prop.l = static_cast<float>(side) * (street.half + 0.5f);
      prop.s = s - 2.4f;
      prop.height = prop.kind == PropKind::kSignal ? 3.4f : 2.8f;
      street.props.push_back(prop);
    }
  }
  for (float s = street.begin; s < street.end; s += uniform(random, 15.0f, 60.0f)) {
    Prop prop;
    prop.hash = static_cast<uint32_t>(random.bits());
    prop.kind = random.chance(0.5) ? PropKind::kSign : PropKind::kBin;
    prop.l = (random.chance(0.5) ? 1.0f : -1.0f) * (street.half + 0.45f);
    prop.s = s;
    prop.height = prop.kind == PropKind::kSign ? 2.7f : 1.0f;
    street.props.push_back(prop);
  }
}

}  // namespace

void place_cars(Street& street, const CityStyle& city, const Drive& drive) {
  Random random = drive.random(Drive::Lots::kCars);
  if (city.parking) park(street, city, random);
  drive_along(street, city, drive, random);
}

void place_props(Street& street, const CityStyle& city, const Drive& drive) {
  Random random = drive.random(Drive::Lots::kProps);
  plant(street, city, random);
  light_up(street, city, random);
  people(street, city, drive, random);
  furnish(street, random);
}

}  // namespace nowhere::synth
