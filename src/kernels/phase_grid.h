// The maps of a halving convolution as rows of matrices, so that the convolution is a sum of four products
// with the same rows.
//
// A large map's phases are P_s[m] = x[2m+s-1] along each axis, s being 0 or 1, and 0 outside the map. All
// have height / 2 + 1 by width / 2 + 1 places, m from 0 on. The positions of the grid are these places, line
// by line, picture by picture. A tap u of 2 x 2 looks at the place m+u: as many positions further on,
// whatever the place. Where that is beyond the end of a line or of a picture, the result is not used, or
// zeros stand there.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/halving.h"

namespace nowhere {

constexpr int64_t kShifts = 4;  // taps of a phase: 2 x 2

class PhaseGrid {
 public:
  struct Place {
    int64_t picture = 0, y = 0, x = 0;
  };

  explicit PhaseGrid(const HalvingShape& shape)
      : width_(shape.small_width() + 1),
        picture_(width_ * (shape.small_height() + 1)),
        positions_(shape.pictures * picture_) {}

  int64_t positions() const { return positions_; }
  int64_t of_picture() const { return picture_; }
  // How many positions on the tap u is.
  int64_t shift(int64_t u) const { return u / 2 * width_ + u % 2; }
  int64_t largest_shift() const { return shift(kShifts - 1); }
  Place operator[](int64_t position) const {
    const int64_t inside = position % picture_;
    return {position / picture_, inside / width_, inside % width_};
  }

 private:
  int64_t width_, picture_, positions_;
};

// Weights and maps have two phases side by side: those of one s along y. Of the weights this is where those
// of tap u begin, in [4, 4, channels].
inline int64_t taps_begin(const HalvingShape& shape, int64_t u, int64_t s) {
  return ((2 * (u / 2) + s) * 4 + 2 * (u % 2)) * shape.channels;
}

// Large maps, two phases at a time.
class PhaseRows {
 public:
  PhaseRows(const HalvingShape& shape, const float* large);

  const PhaseGrid& grid() const { return grid_; }
  int64_t size() const { return 2 * shape_.channels; }
  // The numbers of both phases at a position, zeros behind the last one. They may be put into `edge`.
  const float* row(int64_t position, int64_t s, float* edge) const;

 private:
  HalvingShape shape_;
  PhaseGrid grid_;
  const float* large_;
  std::vector<float> zeros_;
};

// Small maps, at the places (1, 1) and on: the first line and column are zeros, and so is what follows the
// last position.
class ShiftedRows {
 public:
  ShiftedRows(const HalvingShape& shape, const float* small);

  const PhaseGrid& grid() const { return grid_; }
  const float* row(int64_t position) const;

 private:
  HalvingShape shape_;
  PhaseGrid grid_;
  const float* small_;
  std::vector<float> zeros_;
};

}  // namespace nowhere
