// Differentiable augmentation of one picture, and its gradient, in one pass over memory each.
#pragma once

#include <cstdint>

#include "kernels/picture_view.h"

namespace nowhere {

struct PictureChange {
  // With `colour`, each number becomes
  //   contrast * (grey + saturation * (number - grey)) + (1 - contrast) * mean + brightness
  // where grey is the mean of the place's colours and mean that of all numbers.
  bool colour = false;
  float brightness = 0, saturation = 1, contrast = 1;
  int64_t down = 0, right = 0;  // then the picture moves by so many places, and zeros move in
  bool added = false;           // to what stands in `out`: noise; the gradient is the same
};

// One colour or three.
bool changes_pictures_of(int64_t colours);

// picture [colours, side, side] -> out [side, side, colours]
void change_picture(const PictureView& picture, int64_t side, int64_t colours, const PictureChange& change,
                    float* out);
// The gradient of the result, likewise, -> out [side, side, colours], that of the picture
void change_picture_gradient(const PictureView& gradient, int64_t side, int64_t colours,
                             const PictureChange& change, float* out);

}  // namespace nowhere
