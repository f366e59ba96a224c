// The binomial filter [1,2,1] in both directions over a picture, the edges repeated.
#pragma once

#include <cstdint>

namespace nowhere {

// picture [side,side,channels], in place. The same bits on every processor.
void smooth_picture(float* picture, int64_t side, int64_t channels);

}  // namespace nowhere
