// Winograd's transforms F(4x4,2x2) at the points 0, 1, -1, 2 and infinity: a convolution of stride 1 with 2
// x 2 taps makes 4 x 4 outputs of 5 x 5 inputs with 25 products instead of 64; its transpose gives 4 x 4
// inputs their shares in 5 x 5 outputs. All work on vectors of channels.
//
// A "spectrum" is what a transform makes: 25 matrices, `stride` numbers apart.
#pragma once

#include <cstdint>

namespace nowhere {

constexpr int64_t kTileSide = 4;                           // the fewer numbers along one axis
constexpr int64_t kPatchSide = 5;                          // the more
constexpr int64_t kFrequencies = kPatchSide * kPatchSide;  // products
constexpr int64_t kTilePlaces = kTileSide * kTileSide;

// A spectrum at one place or row: kFrequencies rows of `channels` numbers.
struct Spectrum {
  float* first = nullptr;
  int64_t stride = 0;
};

// 5 x 5 places of a map -> a row of each matrix; behind `channels`, zeros up to a multiple of kBlockLanes.
void transform_patch(const float* const* places, int64_t channels, const Spectrum& to);
// 4 x 4 places of a map -> the same.
void transform_tile(const float* const* places, int64_t channels, const Spectrum& to);
// A row of each matrix -> 4 x 4 places of a map. Where a place is null, nothing is written.
void back_to_tile(const Spectrum& from, int64_t channels, float* const* places);

// What is done with the numbers of a map at last: max(number + bias, floor).
struct MapFinish {
  const float* bias = nullptr;  // [channels]; null: nothing at all is done
  float floor = 0;
};

// A place of a map that neighbouring patches may have in common.
struct SharedPlace {
  float* numbers = nullptr;  // null: outside
  bool is_begun = false;     // holds the shares of other patches
  bool is_last = true;       // no other patch follows
};

// A row of each matrix -> its share in 5 x 5 places of a map, and what is done at last.
void back_to_patch(const Spectrum& from, int64_t channels, const MapFinish& finish,
                   const SharedPlace* places);

// Taps of a 2 x 2 kernel, each a matrix whose rows are `row_stride` apart.
struct TapRows {
  const float* taps[4];
  int64_t row_stride = 0;
};

// Taps -> spectrum of matrices [rows, width], width being `columns` rounded up to a multiple of kBlockLanes;
// zeros there.
void transform_taps(const TapRows& from, int64_t rows, int64_t columns, const Spectrum& to);
// The transpose of it: a spectrum [rows, width] -> taps, or added to them.
void gather_taps(const Spectrum& from, int64_t rows, int64_t columns, bool add, float* const* taps,
                 int64_t row_stride);

}  // namespace nowhere
