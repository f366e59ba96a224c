#include "latent/seeds.h"

#include <charconv>
#include <utility>

namespace nowhere {
namespace {

// The part before the separator; `text` continues after it.
std::string_view take_until(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// Digits only and no leading zeros, so that a seed has one spelling.
std::optional<uint64_t> parse_seed(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return seed;
}

// "5" or "5-9".
std::optional<std::pair<uint64_t, uint64_t>> parse_range(std::string_view text) {
  const size_t dash = text.find('-');
  const auto first = parse_seed(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_seed(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

std::optional<std::vector<uint64_t>> parse_seeds(std::string_view text, size_t max_count) {
  std::vector<uint64_t> seeds;
  if (text.empty() || text.back() == ',') return std::nullopt;
  while (!text.empty()) {
    const auto range = parse_range(take_until(text, ','));
    if (!range) return std::nullopt;
    const auto [first, last] = *range;
    if (seeds.size() >= max_count || last - first >= max_count - seeds.size()) return std::nullopt;
    for (uint64_t offset = 0; offset <= last - first; ++offset) seeds.push_back(first + offset);
  }
  return seeds;
}

}  // namespace nowhere
