// The things along a street, placed once for a drive so that every frame passes the same ones.
#pragma once

#include <vector>

#include "data/synth/light.h"

namespace nowhere::synth {

struct Lot {
  int side = 1;     // +1 right of the street, -1 left
  float begin = 0;  // along the street, metres
  float end = 0;
  float front = 0;  // distance of the front from the axis
  float depth = 12;
  float height = 10;  // to the eaves
  float rise = 0;     // of the roof above the eaves
  float run = 0;      // from the eaves to the ridge, in plan
  Roof roof = Roof::kFlat;
  int floors = 3;
  float floor_height = 3;
  float ground_height = 3.6f;
  float cell = 2.6f;
  float window_width = 0.45f;
  float window_height = 0.55f;
  bool shop = false;
  bool balcony = false;
  bool glass = false;
  bool arch = false;
  bool shutter = false;
  bool awning = false;
  Rgb wall;
  Rgb trim;
  Rgb frame;
  Rgb roof_colour;
  Rgb accent;
  Rgb sign;
  uint32_t hash = 0;
};

enum class PropKind { kTree, kBush, kLamp, kPole, kSignal, kPerson, kSign, kBin };

struct Prop {
  PropKind kind = PropKind::kTree;
  float l = 0;
  float s = 0;
  float height = 6;
  float speed = 0;  // along s, metres per frame
  float reach = 0;  // of the cables, to the next pole
  TreeKind tree = TreeKind::kRound;
  Rgb colour;
  uint32_t hash = 0;
};

enum class CarKind { kHatch, kSedan, kSuv, kVan, kTaxi, kBus };

struct Car {
  CarKind kind = CarKind::kHatch;
  float l = 0;
  float s = 0;        // its middle at frame 0
  float speed = 0;    // along s, metres per frame
  float heading = 1;  // its nose points along +s (1) or -s (-1)
  bool parked = false;
  Rgb paint;
  uint32_t hash = 0;
};

// What the ground and the shadows need to know of one stretch of the street; index 0 is left, 1 right.
struct StreetCell {
  float roof[2] = {0, 0};             // height that shades the street
  float lamp[2] = {0, 0};             // light of that side's lamps
  float gap_begin[2] = {1e6f, 1e6f};  // the nearest side street
  float gap_end[2] = {1e6f, 1e6f};
  float crossing = 1e6f;  // the middle of the nearest zebra
};

struct Street {
  static constexpr float kCell = 0.5f;  // metres

  float begin = 0;
  float end = 0;
  float half = 5;  // of the road
  float pavement = 3;
  float front = 8;   // where houses usually stand
  float lamp_l = 0;  // distance of lamps from the axis
  float lamp_height = 8;
  std::vector<Lot> lots;
  std::vector<Prop> props;
  std::vector<Car> cars;
  std::vector<float> crossings;
  std::vector<StreetCell> cells;

  const StreetCell& cell(float s) const {
    const int i = static_cast<int>((s - begin) * (1.0f / kCell));
    return cells[static_cast<size_t>(std::clamp(i, 0, static_cast<int>(cells.size()) - 1))];
  }
  // The roof line of a side, with soft steps.
  float roof(int side, float s) const;
};

Street make_street(const CityStyle& city, const Drive& drive);

// Traffic and parked cars, in their own file.
void place_cars(Street& street, const CityStyle& city, const Drive& drive);
void place_props(Street& street, const CityStyle& city, const Drive& drive);

}  // namespace nowhere::synth
