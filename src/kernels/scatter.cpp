#include "kernels/scatter.h"

#include <vector>

namespace nowhere {
namespace {

constexpr int64_t kKernel = 4;

// Where along one axis a place of the large map takes its sums from: taps of two neighbouring places of the small one.
struct Taps {
  int64_t place[2] = {0, 0}, tap[2] = {0, 0};
  int count = 0;
};

Taps taps_of(int64_t large, int64_t side) {
  Taps taps;
  for (int64_t tap = (large + 1) % 2; tap < kKernel; tap += 2) {
    const int64_t place = (large + 1 - tap) / 2;
    if (large + 1 < tap || place >= side) continue;
    taps.place[taps.count] = place;
    taps.tap[taps.count++] = tap;
  }
  return taps;
}

}  // namespace

// Compiled once for each kind of processor and chosen when the program starts: sums of wide vectors, the same bits in all.
__attribute__((target_clones("avx512f", "avx2", "default"))) void scatter_picture(
    const float* columns, int64_t side, int64_t channels, const float* bias, float* out) {
  const int64_t row_size = kKernel * kKernel * channels;
  std::vector<Taps> taps;
  for (int64_t place = 0; place < 2 * side; ++place) taps.push_back(taps_of(place, side));
  for (const Taps& rows : taps)
    for (const Taps& across : taps) {
      const float* parts[4] = {bias, bias, bias, bias};
      int count = 0;
      for (int i = 0; i < rows.count; ++i)
        for (int j = 0; j < across.count; ++j)
          parts[count++] = columns + (rows.place[i] * side + across.place[j]) * row_size +
                           (rows.tap[i] * kKernel + across.tap[j]) * channels;
      if (count == 4) {
        for (int64_t c = 0; c < channels; ++c)
          out[c] = bias[c] + parts[0][c] + parts[1][c] + parts[2][c] + parts[3][c];
      } else if (count == 2) {
        for (int64_t c = 0; c < channels; ++c) out[c] = bias[c] + parts[0][c] + parts[1][c];
      } else {
        for (int64_t c = 0; c < channels; ++c) out[c] = bias[c] + parts[0][c];
      }
      out += channels;
    }
}

}  // namespace nowhere
