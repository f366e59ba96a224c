// Pictures that painters sample: smooth noise, clouds, foliage. Drawn once, shared by all frames.
#pragma once

#include <array>
#include <vector>

#include "data/synth/colour.h"
#include "data/synth/style.h"

namespace nowhere::synth {

// A square of values that repeats.
class Tile {
 public:
  static constexpr int kSize = 256;

  // `octaves` of smooth noise from `lattice` cells a side upwards; values fill [0, 1].
  Tile(uint64_t seed, int lattice, int octaves);

  float nearest(float x, float y) const { return at(fast_floor(x), fast_floor(y)); }
  float smooth(float x, float y) const {
    const int i = fast_floor(x);
    const int j = fast_floor(y);
    const float fx = x - static_cast<float>(i);
    const float fy = y - static_cast<float>(j);
    return mix(mix(at(i, j), at(i + 1, j), fx), mix(at(i, j + 1), at(i + 1, j + 1), fx), fy);
  }

 private:
  float at(int x, int y) const {
    return values_[static_cast<size_t>((y & (kSize - 1)) * kSize + (x & (kSize - 1)))];
  }
  std::vector<float> values_;
};

// A tree without its colour, lit from the upper left. Level k is 2^k times smaller.
struct Sprite {
  struct Texel {
    float shade = 0;  // 0 dark inside, 1 sunlit leaves; negative: bark
    float alpha = 0;
  };
  struct Level {
    int size = 0;
    std::vector<Texel> texels;  // columns of texels, as in Canvas
  };
  std::vector<Level> levels;
};

struct Textures {
  explicit Textures(uint64_t seed);

  static constexpr int kVariants = 4;
  const Sprite& tree(TreeKind kind, uint32_t hash) const {
    return trees[static_cast<size_t>(kind)][hash % kVariants];
  }

  Tile grain;
  Tile clouds;
  std::array<std::array<Sprite, kVariants>, 4> trees;  // by TreeKind
};

}  // namespace nowhere::synth
