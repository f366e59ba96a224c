#include "image/limits.h"

#include <fmt/core.h>

namespace nowhere {

Result<void> check_size(int64_t width, int64_t height) {
  if (width < 1 || height < 1) return Failure{fmt::format("empty picture: {} x {} pixels", width, height)};
  if (width > kMaxPixels / height)
    return Failure{fmt::format("too large: {} x {} pixels, at most {} million are read", width, height,
                               kMaxPixels / 1'000'000)};
  return {};
}

}  // namespace nowhere
