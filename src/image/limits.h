// The size that a picture may have. Checked by the header, before memory is allocated.
#pragma once

#include <cstdint>

#include "core/error.h"

namespace nowhere {

constexpr int64_t kMaxPixels =
    int64_t{1} << 27;  // 134 megapixels: more than any camera has, less than decompression bombs

Result<void> check_size(int64_t width, int64_t height);

}  // namespace nowhere
