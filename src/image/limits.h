// What a picture may measure. Checked on the header, before any memory is asked for.
#pragma once

#include <cstdint>

#include "core/error.h"

namespace nowhere {

constexpr int64_t kMaxPixels = int64_t{1} << 27;  // 134 megapixels: above any camera, below any bomb

Result<void> check_size(int64_t width, int64_t height);

}  // namespace nowhere
