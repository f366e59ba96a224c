// Which photographs a run is trained on, in a few characters.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "data/photos.h"

namespace nowhere {

// 32 hexadecimal digits of the identities in their order: the order decides which photograph comes when. The
// same wherever the data lie.
std::string selection_digest(const Photos& photos, std::span<const uint32_t> selected);

}  // namespace nowhere
