// How a camera was held: EXIF's eight orientations.
#pragma once

#include "image/image.h"

namespace nowhere {

// Copies `stored` into `upright`, whose memory is reused, turned and mirrored as EXIF's `orientation` (1 to
// 8) says; any other number counts as 1, which is upright. From 5 on, width and height change places.
void turn_upright(ImageView stored, int orientation, Image& upright);

}  // namespace nowhere
