#include "data/synth/plan.h"

#include <string_view>

#include "core/hash.h"

namespace nowhere::synth {
namespace {

constexpr int kFewestDrives = 4;  // per city, as long as there are frames for them
constexpr int kUsualLength = 25;

// Splits a city's frames into drives of 12 to 40 frames; of fewer when there are few.
std::vector<int> split_frames(uint64_t seed, int city, int frames) {
  if (frames == 0) return {};
  const int count = std::min(frames, std::max(kFewestDrives, (frames + kUsualLength / 2) / kUsualLength));
  std::vector<int> lengths(static_cast<size_t>(count), frames / count);
  for (size_t i = 0; i < static_cast<size_t>(frames % count); ++i) ++lengths[i];
  Random random = stream(seed, Topic::kPlan, static_cast<uint64_t>(city));
  // Neighbours trade frames: lengths differ, the sum stays.
  for (size_t i = 0; i + 1 < lengths.size(); ++i) {
    const int most = std::min(lengths[i], lengths[i + 1]) / 2;
    const int moved = uniform_int(random, -most, most);
    if (lengths[i] + moved > 40 || lengths[i + 1] - moved > 40) continue;
    lengths[i] += moved;
    lengths[i + 1] -= moved;
  }
  return lengths;
}

// 132 bits would fill 22 characters of 6 bits; two 64-bit hashes give the first 128.
std::string name22(uint64_t a, uint64_t b) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string name;
  for (int i = 0; i < 11; ++i) name += kAlphabet[(a >> (6 * i > 58 ? 58 : 6 * i)) & 63u];
  for (int i = 0; i < 11; ++i) name += kAlphabet[(b >> (6 * i > 58 ? 58 : 6 * i)) & 63u];
  return name;
}

}  // namespace

std::vector<CityPlan> plan_dataset(uint64_t seed, int images, int cities) {
  std::vector<CityPlan> plan;
  for (int c = 0; c < cities; ++c) {
    const int frames = images / cities + (c < images % cities ? 1 : 0);
    CityPlan city{make_city(seed, c), {}};
    const std::vector<int> lengths = split_frames(seed, c, frames);
    for (size_t d = 0; d < lengths.size(); ++d) {
      city.drives.push_back(make_drive(city.style, static_cast<int>(d), lengths[d], d % 4 == 1));
    }
    if (!city.drives.empty()) plan.push_back(std::move(city));
  }
  return plan;
}

std::string frame_key(const Drive& drive, int frame) {
  std::string text = "nowhere";
  for (const int64_t part : {static_cast<int64_t>(drive.seed), static_cast<int64_t>(drive.city),
                             static_cast<int64_t>(drive.index), static_cast<int64_t>(frame)}) {
    text += '/';
    text += std::to_string(part);
  }
  return name22(hash64(text, 1), hash64(text, 2));
}

}  // namespace nowhere::synth
