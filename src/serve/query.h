// Strict parsing of what clients send. Messages never contain the client's text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace nowhere {

// Digits only, no leading zeros, within the range; nothing otherwise.
std::optional<uint64_t> strict_integer(std::string_view text, uint64_t low, uint64_t high);

// Begins with a digit, "0.5" or "1e-3", within the range; nothing otherwise.
std::optional<double> strict_number(std::string_view text, double low, double high);

// %41 -> A; nothing when an escape is malformed. A plus stays a plus.
std::optional<std::string> percent_decoded(std::string_view text);

using Parameters = std::map<std::string, std::string, std::less<>>;

// "a=1&b=2", decoded. Fails for names that are not in `known`, that occur twice, or that have no value.
Result<Parameters> parse_query(std::string_view query, const std::vector<std::string>& known);

}  // namespace nowhere
