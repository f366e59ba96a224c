#include "data/synth/style.h"

#include <array>
#include <numbers>

namespace nowhere::synth {
namespace {

using Painter = void (*)(CityStyle&);

std::vector<Rgb> palette(std::initializer_list<uint32_t> colours) {
  std::vector<Rgb> out;
  for (const uint32_t colour : colours) out.push_back(screen(colour));
  return out;
}

void canal_town(CityStyle& c) {
  c.floors_min = 3, c.floors_max = 4, c.lot_min = 5.5f, c.lot_max = 8.5f;
  c.cell = 1.9f, c.window_width = 0.56f, c.window_height = 0.62f;
  c.roofs = {Roof::kStepGable, Roof::kFrontGable, Roof::kFrontGable, Roof::kEaves};
  c.walls = palette({0x8a4234, 0x6e3a30, 0xa65a42, 0x5c4a44, 0xb98a62, 0x7c5148, 0xcfc0a8});
  c.trims = palette({0xf2efe6, 0xe8e2d2}), c.accents = palette({0x1f4a3a, 0x7a1f22, 0x243a5e});
  c.roof_colours = palette({0x9a4a34, 0x54423e}), c.trees = {TreeKind::kRound, TreeKind::kOval};
  c.tree_chance = 0.45f, c.gap_chance = 0.06f, c.pavement = 2.6f, c.paving = screen(0x9c7a6c);
}

void sunny_coast(CityStyle& c) {
  c.floors_min = 3, c.floors_max = 6, c.lot_min = 10, c.lot_max = 17, c.cell = 3.0f;
  c.window_width = 0.38f, c.window_height = 0.62f, c.balcony_chance = 0.6f, c.shutter_chance = 0.8f;
  c.roofs = {Roof::kFlat, Roof::kFlat, Roof::kEaves}, c.shop_chance = 0.55f, c.arch_chance = 0.25f;
  c.walls = palette({0xe3bd7e, 0xe8d4a8, 0xd99a72, 0xefe3c8, 0xd7785a, 0xf0d2bc, 0xe9c35e});
  c.trims = palette({0xf6eedb, 0xe9dcc0}), c.accents = palette({0x3d6b4f, 0x2f5f7d, 0x8a4a2a, 0xb03a2e});
  c.roof_colours = palette({0xb5603c, 0xc4734a}), c.trees = {TreeKind::kPalm, TreeKind::kRound};
  c.tree_chance = 0.4f, c.gap_chance = 0.1f, c.leaf = screen(0x6e8a3e), c.paving = screen(0xc4b49a);
}

void panel_blocks(CityStyle& c) {
  c.floors_min = 5, c.floors_max = 12, c.lot_min = 24, c.lot_max = 44, c.cell = 3.2f, c.setback = 7;
  c.window_width = 0.58f, c.window_height = 0.48f, c.balcony_chance = 0.5f, c.shop_chance = 0.12f;
  c.roofs = {Roof::kFlat}, c.gap_chance = 0.75f, c.gap_width = 16, c.garden = true, c.floor_height = 2.8f;
  c.walls = palette({0xbdb7aa, 0xa9adb0, 0xd2c7b0, 0x9fb0b8, 0xc9a892, 0xd8d6cf});
  c.trims = palette({0xe6e4dd, 0x8f9499}), c.accents = palette({0x9c3b30, 0x38618c, 0x4a7a58});
  c.roof_colours = palette({0x6a6a6a}), c.trees = {TreeKind::kOval, TreeKind::kRound, TreeKind::kConifer};
  c.tree_chance = 0.55f, c.lanes = 2, c.leaf = screen(0x5f8040), c.skyline = 0.7f, c.haze = 1.3f;
}

void glass_downtown(CityStyle& c) {
  c.floors_min = 7, c.floors_max = 22, c.lot_min = 18, c.lot_max = 34, c.floor_height = 3.6f;
  c.cell = 2.4f, c.window_width = 0.74f, c.window_height = 0.66f, c.glass_chance = 0.55f;
  c.roofs = {Roof::kFlat}, c.shop_chance = 0.75f, c.gap_chance = 0.16f, c.gap_width = 9,
  c.tower_chance = 0.2f;
  c.walls = palette({0x8e959c, 0xb9b4aa, 0x6d7884, 0xc9c4ba, 0x9a7f6c, 0x565d66});
  c.trims = palette({0x3c434a, 0xd5d8da}), c.accents = palette({0xc8452f, 0x2b6fb0, 0xe0a526, 0x1f8a70});
  c.roof_colours = palette({0x55585c}), c.trees = {TreeKind::kRound}, c.tree_chance = 0.28f;
  c.lanes = 2, c.pavement = 4.2f, c.skyline = 1, c.traffic = 0.9f, c.yellow_lines = true;
}

void garden_suburb(CityStyle& c) {
  c.floors_min = 1, c.floors_max = 2, c.lot_min = 10, c.lot_max = 15, c.cell = 3.2f, c.setback = 6;
  c.window_width = 0.46f, c.window_height = 0.46f, c.shop_chance = 0.03f, c.tower_chance = 0;
  c.roofs = {Roof::kEaves, Roof::kEaves, Roof::kFrontGable}, c.gap_chance = 0.95f, c.gap_width = 6;
  c.walls = palette({0xe9e4d8, 0xc7b79c, 0xa3b5c0, 0xd9cfa8, 0x9a5a48, 0xb6c2a8, 0xd8c6c0});
  c.trims = palette({0xffffff, 0xf3f0e8}), c.accents = palette({0x7b2d26, 0x2c4c6b, 0x35543a});
  c.roof_colours = palette({0x5d5552, 0x7a5a4c, 0x47494d}), c.trees = {TreeKind::kRound, TreeKind::kOval};
  c.tree_chance = 0.75f, c.garden = true, c.pavement = 2, c.yellow_lines = true, c.wires = true;
  c.leaf = screen(0x66923a), c.skyline = 0.15f, c.traffic = 0.3f;
}

void timber_north(CityStyle& c) {
  c.floors_min = 2, c.floors_max = 3, c.lot_min = 9, c.lot_max = 15, c.cell = 2.7f, c.setback = 1.5f;
  c.window_width = 0.4f, c.window_height = 0.5f, c.shop_chance = 0.18f, c.tower_chance = 0;
  c.roofs = {Roof::kEaves, Roof::kFrontGable}, c.gap_chance = 0.5f, c.gap_width = 4.5f;
  c.walls = palette({0x963a2c, 0xe2b24e, 0xe9e6dc, 0x6f8ea6, 0x8a9a74, 0xc98a4a, 0x53707c});
  c.trims = palette({0xfafaf5}), c.accents = palette({0x2e4a3a, 0x3a3a48, 0x7d2a22});
  c.roof_colours = palette({0x4a4648, 0x5a4a46, 0x3c4448}), c.trees = {TreeKind::kConifer, TreeKind::kOval};
  c.tree_chance = 0.5f, c.leaf = screen(0x4f7444), c.skyline = 0.05f, c.traffic = 0.35f, c.garden = true;
}

void boulevards(CityStyle& c) {
  c.floors_min = 5, c.floors_max = 6, c.lot_min = 13, c.lot_max = 22, c.cell = 2.5f, c.floor_height = 3.3f;
  c.window_width = 0.42f, c.window_height = 0.7f, c.balcony_chance = 0.85f, c.shop_chance = 0.7f;
  c.roofs = {Roof::kMansard}, c.gap_chance = 0.08f, c.gap_width = 9, c.arch_chance = 0.2f;
  c.walls = palette({0xe2d7bf, 0xd8cbb0, 0xebe2cf, 0xcfc2ab, 0xdccfb9});
  c.trims = palette({0xf1eadb, 0xe5dcc8}), c.accents = palette({0x7c1d24, 0x1e4436, 0x20355a, 0xc08a2a});
  c.roof_colours = palette({0x6b7782, 0x5a6570}), c.trees = {TreeKind::kRound, TreeKind::kOval};
  c.tree_chance = 0.85f, c.lanes = 2, c.pavement = 4.5f, c.traffic = 0.7f, c.leaf = screen(0x5c8438);
}

void busy_south(CityStyle& c) {
  c.floors_min = 2, c.floors_max = 5, c.lot_min = 5, c.lot_max = 10, c.cell = 2.2f;
  c.window_width = 0.6f, c.window_height = 0.5f, c.balcony_chance = 0.4f, c.shop_chance = 0.85f;
  c.roofs = {Roof::kFlat, Roof::kFlat, Roof::kFlat, Roof::kEaves}, c.gap_chance = 0.12f,
  c.tower_chance = 0.1f;
  c.walls = palette({0xdcd6c8, 0x8fb8b0, 0xe0a88c, 0xc9c07e, 0xb8a9c0, 0xcf8a70, 0x9db6cc, 0xe8e2d0});
  c.trims = palette({0xefeae0, 0x6a6660}),
  c.accents = palette({0xd23b2c, 0xf0b429, 0x1f78b4, 0x2e9e5b, 0xd9539a});
  c.roof_colours = palette({0x8a5a44, 0x7a7a78}), c.trees = {TreeKind::kPalm, TreeKind::kRound};
  c.tree_chance = 0.25f, c.wires = true, c.haze = 1.7f, c.traffic = 0.95f, c.leaf = screen(0x5a9036);
  c.pavement = 2.2f, c.paving = screen(0xa89a88), c.left_hand = true;
}

constexpr std::array<Painter, 8> kKinds = {canal_town,   glass_downtown, sunny_coast, timber_north,
                                           panel_blocks, boulevards,     busy_south,  garden_suburb};

// A city's own shade of its kind: two cities of one kind still differ.
void vary(CityStyle& c, Random& random) {
  const Rgb cast = {uniform(random, 0.86f, 1.12f), uniform(random, 0.9f, 1.08f),
                    uniform(random, 0.84f, 1.14f)};
  for (Rgb& wall : c.walls) wall = wall * cast * uniform(random, 0.85f, 1.1f);
  const Rgb leaf_cast = {uniform(random, 0.7f, 1.5f), uniform(random, 0.85f, 1.1f),
                         uniform(random, 0.6f, 1.2f)};
  c.leaf = c.leaf * leaf_cast * 0.8f;
  c.asphalt = c.asphalt * uniform(random, 0.7f, 1.15f) * Rgb{1.0f, 0.99f, uniform(random, 0.94f, 1.05f)};
  c.paving = c.paving * uniform(random, 0.85f, 1.1f);
  c.window_width *= uniform(random, 0.88f, 1.12f);
  c.window_height *= uniform(random, 0.9f, 1.08f);
  c.floor_height *= uniform(random, 0.94f, 1.08f);
  c.tree_chance = clamp01(c.tree_chance * uniform(random, 0.5f, 1.4f));
  c.lane_width *= uniform(random, 0.95f, 1.1f);
  c.haze *= uniform(random, 0.7f, 1.4f);
  c.sky_tint = {uniform(random, 0.86f, 1.06f), uniform(random, 0.94f, 1.04f), uniform(random, 0.94f, 1.08f)};
  if (random.chance(0.25)) c.yellow_lines = !c.yellow_lines;
  if (random.chance(0.15)) c.left_hand = !c.left_hand;
}

}  // namespace

CityStyle make_city(uint64_t seed, int index) {
  Random random = stream(seed, Topic::kCity, static_cast<uint64_t>(index));
  CityStyle city;
  city.index = index;
  city.seed = seed;
  city.name = place_names(seed, index + 1).back();
  const uint64_t first = mix64(seed) % kKinds.size();
  kKinds[(first + static_cast<uint64_t>(index)) % kKinds.size()](city);
  vary(city, random);
  city.longitude = random.uniform(-170.0, 170.0);
  city.latitude = random.uniform(-50.0, 62.0);
  return city;
}

}  // namespace nowhere::synth
