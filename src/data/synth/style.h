// What makes a city look like itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/synth/colour.h"

namespace nowhere::synth {

enum class Roof { kFlat, kEaves, kFrontGable, kStepGable, kMansard };
enum class TreeKind { kRound, kOval, kConifer, kPalm };

struct CityStyle {
  std::string name;
  int index = 0;
  uint64_t seed = 0;

  // Buildings; lengths in metres, shares in [0, 1].
  int floors_min = 3;
  int floors_max = 5;
  float lot_min = 8;
  float lot_max = 14;
  float floor_height = 3.1f;
  float setback = 0;     // from the pavement to the front
  float gap_chance = 0;  // of a gap between two neighbours
  float gap_width = 4;
  float shop_chance = 0.3f;
  float balcony_chance = 0;
  float glass_chance = 0;
  float arch_chance = 0;
  float shutter_chance = 0;
  float window_width = 0.45f;   // share of its cell
  float window_height = 0.55f;  // share of the floor
  float cell = 2.6f;            // metres between windows
  float tower_chance = 0.05f;   // of a building much higher than the rest
  std::vector<Roof> roofs;
  std::vector<Rgb> walls;
  std::vector<Rgb> roof_colours;
  std::vector<Rgb> trims;
  std::vector<Rgb> accents;  // doors, shutters, signs, awnings

  // The street.
  int lanes = 1;  // each way
  float lane_width = 3.2f;
  bool parking = true;
  float pavement = 3;
  bool garden = false;  // grass before the houses
  bool yellow_lines = false;
  bool left_hand = false;
  bool wires = false;
  float tree_chance = 0.3f;  // per planting place
  std::vector<TreeKind> trees;
  Rgb leaf = screen(0x6a8a3c);
  Rgb asphalt = screen(0x6c6c70);
  Rgb paving = screen(0xa39e96);
  float traffic = 0.5f;

  // The air.
  Rgb sky_tint = grey(1);
  float haze = 1;
  float skyline = 0.5f;  // 0 hills only, 1 towers
  double longitude = 0;
  double latitude = 0;
};

CityStyle make_city(uint64_t seed, int index);

// Invented place names, lower-case ASCII, all different for one seed.
std::vector<std::string> place_names(uint64_t seed, int count);

}  // namespace nowhere::synth
