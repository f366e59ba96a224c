// Arbitrary bytes as a number, a list of seeds and a query: whatever is accepted lies within its bounds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "latent/seeds.h"
#include "serve/query.h"

namespace nowhere {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_numbers(std::string_view text) {
  if (const auto integer = strict_integer(text, 3, 1'000'000)) {
    require(*integer >= 3 && *integer <= 1'000'000 && std::to_string(*integer) == text);
  }
  if (const auto number = strict_number(text, 0, 1)) require(*number >= 0 && *number <= 1);
}

void check_seeds(std::string_view text) {
  const auto seeds = parse_seeds(text, 64);
  if (!seeds) return;
  require(!seeds->empty() && seeds->size() <= 64);
  std::string plain;
  for (const uint64_t seed : *seeds) plain += (plain.empty() ? "" : ",") + std::to_string(seed);
  require(parse_seeds(plain, 64) == seeds);
}

void check_query(std::string_view text) {
  const auto query = parse_query(text, {"seeds", "n", "t"});
  if (!query) return;
  for (const auto& [name, value] : *query) {
    require((name == "seeds" || name == "n" || name == "t") && !value.empty());
    check_seeds(value);
    check_numbers(value);
  }
}

}  // namespace
}  // namespace nowhere

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  nowhere::check_numbers(text);
  nowhere::check_seeds(text);
  nowhere::check_query(text);
  return 0;
}
