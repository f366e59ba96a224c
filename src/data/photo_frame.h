// The pixels of a photograph, shrunk or not, with what is needed to measure in the photograph's own pixels.
#pragma once

#include "image/crop_size.h"
#include "image/image.h"

namespace nowhere {

struct PhotoFrame {
  ImageView view;
  int short_side = 0;  // of the whole photograph, in its own pixels
  double scale = 1;    // pixels of the view to one of the photograph's

  // A length in the photograph's pixels, in those of the view, whose shorter side it does not exceed.
  int pixels_of(int length) const;
};

// A view that shows all of its photograph.
PhotoFrame whole_frame(ImageView view, int short_side);

// All columns of the rows that crops of this size show: crops move to the sides only.
ImageView middle_rows(const PhotoFrame& frame, const CropSize& crop);

}  // namespace nowhere
