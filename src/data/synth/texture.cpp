#include "data/synth/texture.h"

#include <numbers>

namespace nowhere::synth {
namespace {

float lattice_value(uint32_t seed, int x, int y, int cells) {
  const auto wrap = [cells](int i) { return static_cast<uint32_t>(i % cells); };
  return unit(hash32(seed, wrap(x), wrap(y)));
}

float smooth_noise(uint32_t seed, float x, float y, int cells) {
  const int i = fast_floor(x);
  const int j = fast_floor(y);
  const float fx = smoothstep(0, 1, x - static_cast<float>(i));
  const float fy = smoothstep(0, 1, y - static_cast<float>(j));
  return mix(mix(lattice_value(seed, i, j, cells), lattice_value(seed, i + 1, j, cells), fx),
             mix(lattice_value(seed, i, j + 1, cells), lattice_value(seed, i + 1, j + 1, cells), fx), fy);
}

constexpr int kSpriteSize = 192;

// The outline of a crown: the half width at height t in [0, 1], of a sprite one unit wide.
float crown_half(TreeKind kind, float t) {
  switch (kind) {
    case TreeKind::kRound:
      return 0.44f * std::sqrt(std::max(0.0f, 1.0f - square(2.0f * t - 1.0f)));
    case TreeKind::kOval:
      return 0.30f * std::sqrt(std::max(0.0f, 1.0f - square(2.0f * t - 1.0f)));
    case TreeKind::kConifer:
      return 0.27f * (1.0f - t) + 0.01f;
    case TreeKind::kPalm:
      break;
  }
  return 0.4f;
}

float crown_bottom(TreeKind kind) {
  return kind == TreeKind::kConifer ? 0.12f : 0.30f;
}

void splat(Sprite::Level& level, float cx, float cy, float radius, float shade, float opacity) {
  const auto size = static_cast<float>(level.size);
  const int x0 = std::max(0, static_cast<int>((cx - radius) * size));
  const int x1 = std::min(level.size - 1, static_cast<int>((cx + radius) * size) + 1);
  const int y0 = std::max(0, static_cast<int>((cy - radius) * size));
  const int y1 = std::min(level.size - 1, static_cast<int>((cy + radius) * size) + 1);
  for (int x = x0; x <= x1; ++x) {
    for (int y = y0; y <= y1; ++y) {
      const float dx = (static_cast<float>(x) / size - cx) / radius;
      const float dy = (static_cast<float>(y) / size - cy) / radius;
      const float cover = opacity * smoothstep(1.0f, 0.55f, dx * dx + dy * dy);
      if (cover <= 0) continue;
      Sprite::Texel& texel = level.texels[static_cast<size_t>(x * level.size + y)];
      const float lit = shade < 0 ? shade : clamp01(shade - 0.10f * (dx + dy));
      texel.shade = texel.alpha <= 0 ? lit : mix(texel.shade, lit, cover);
      texel.alpha += (1.0f - texel.alpha) * cover;
    }
  }
}

void stem(Sprite::Level& level, float x0, float y0, float x1, float y1, float radius) {
  for (int i = 0; i <= 60; ++i) {
    const float t = static_cast<float>(i) / 60.0f;
    splat(level, mix(x0, x1, t), mix(y0, y1, t), radius * (1.2f - 0.5f * t), -0.5f, 1.0f);
  }
}

void crown(Sprite::Level& level, TreeKind kind, Random& random) {
  const float bottom = crown_bottom(kind);
  const float tilt = uniform(random, -0.03f, 0.03f);
  const int clumps = 1500;
  for (int i = 0; i < clumps; ++i) {
    // From the dark inside to the lit outside, the later over the earlier.
    const float outward = std::sqrt(static_cast<float>(i) / clumps);
    const float t = uniform(random, 0.02f, 0.98f);
    const float across = uniform(random, -1.0f, 1.0f) * (0.55f + 0.45f * outward);
    const float x = 0.5f + tilt * t + across * crown_half(kind, t) * uniform(random, 0.8f, 1.08f);
    const float y = 1.0f - (bottom + t * (0.97f - bottom));
    const float light = 0.30f + 0.42f * t - 0.20f * across;
    const float shade = clamp01(light * (0.45f + 0.6f * outward) + uniform(random, -0.12f, 0.12f));
    const float radius = mix(uniform(random, 0.02f, 0.05f), uniform(random, 0.008f, 0.019f), outward) *
                         (kind == TreeKind::kConifer ? 0.75f : 1.0f);
    splat(level, x, y, radius, shade, 0.9f);
  }
}

void palm(Sprite::Level& level, Random& random) {
  const float lean = uniform(random, -0.06f, 0.06f);
  const float top_x = 0.5f + lean;
  stem(level, 0.5f, 1.0f, top_x, 0.27f, 0.018f);
  const int fronds = 15;
  for (int i = 0; i < fronds; ++i) {
    const float angle =
        std::numbers::pi_v<float> * (static_cast<float>(i) + uniform(random, 0.0f, 0.8f)) / fronds;
    const float reach = uniform(random, 0.30f, 0.42f);
    for (int k = 0; k < 44; ++k) {
      const float t = static_cast<float>(k) / 44.0f;
      const float x = top_x - std::cos(angle) * reach * t;
      const float y = 0.27f - std::sin(angle) * 0.20f * t * (1.2f - t) * 2.2f + 0.26f * t * t;
      const float shade = clamp01(0.75f - 0.4f * t + 0.2f * std::sin(angle) + uniform(random, -0.15f, 0.15f));
      splat(level, x, y, 0.024f * (1.1f - 0.6f * std::abs(2.0f * t - 0.8f)), shade, 0.85f);
    }
  }
}

Sprite::Level halve(const Sprite::Level& from) {
  Sprite::Level to;
  to.size = from.size / 2;
  to.texels.resize(static_cast<size_t>(to.size) * static_cast<size_t>(to.size));
  for (int x = 0; x < to.size; ++x) {
    for (int y = 0; y < to.size; ++y) {
      Sprite::Texel sum;
      for (int k = 0; k < 4; ++k) {
        const auto& texel =
            from.texels[static_cast<size_t>((2 * x + (k & 1)) * from.size + 2 * y + (k >> 1))];
        sum.shade += texel.shade * texel.alpha;
        sum.alpha += texel.alpha;
      }
      if (sum.alpha > 0) sum.shade /= sum.alpha;
      sum.alpha *= 0.25f;
      to.texels[static_cast<size_t>(x * to.size + y)] = sum;
    }
  }
  return to;
}

Sprite draw_tree(TreeKind kind, uint64_t seed, int variant) {
  Random random = stream(seed, Topic::kTree, static_cast<uint64_t>(kind), static_cast<uint64_t>(variant));
  Sprite sprite;
  Sprite::Level level;
  level.size = kSpriteSize;
  level.texels.resize(static_cast<size_t>(kSpriteSize) * kSpriteSize);
  if (kind == TreeKind::kPalm) {
    palm(level, random);
  } else {
    stem(level, 0.5f, 1.0f, 0.5f, 0.55f, kind == TreeKind::kConifer ? 0.014f : 0.02f);
    crown(level, kind, random);
  }
  sprite.levels.push_back(std::move(level));
  while (sprite.levels.back().size > 12) sprite.levels.push_back(halve(sprite.levels.back()));
  return sprite;
}

}  // namespace

Tile::Tile(uint64_t seed, int lattice, int octaves) : values_(static_cast<size_t>(kSize) * kSize) {
  for (int octave = 0, cells = lattice; octave < octaves; ++octave, cells *= 2) {
    const float weight = std::pow(0.5f, static_cast<float>(octave));
    const float scale = static_cast<float>(cells) / kSize;
    const auto key = static_cast<uint32_t>(mix64(seed + static_cast<uint64_t>(octave)));
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        values_[static_cast<size_t>(y * kSize + x)] +=
            weight * smooth_noise(key, static_cast<float>(x) * scale, static_cast<float>(y) * scale, cells);
      }
    }
  }
  const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
  const float bottom = *low;
  const float range = *high - bottom;
  for (float& value : values_) value = (value - bottom) / range;
}

Textures::Textures(uint64_t seed) : grain(mix64(seed ^ 11), 32, 3), clouds(mix64(seed ^ 12), 4, 6) {
  for (size_t kind = 0; kind < trees.size(); ++kind) {
    for (int variant = 0; variant < kVariants; ++variant) {
      trees[kind][static_cast<size_t>(variant)] = draw_tree(static_cast<TreeKind>(kind), seed, variant);
    }
  }
}

}  // namespace nowhere::synth
