// Lists of seeds as people write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nowhere {

// "1,2,5-9" -> {1, 2, 5, 6, 7, 8, 9}. Digits only; nothing when malformed, empty, or longer than `max_count`,
// which is checked before a range is expanded.
std::optional<std::vector<uint64_t>> parse_seeds(std::string_view text, size_t max_count);

}  // namespace nowhere
