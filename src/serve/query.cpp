#include "serve/query.h"

#include <algorithm>
#include <charconv>

namespace nowhere {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}

int hex_value(char c) {
  if (digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The text before the separator, which is removed from `text` together with it.
std::string_view take_until(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

std::optional<uint64_t> strict_integer(std::string_view text, uint64_t low, uint64_t high) {
  if (text.empty() || !digit(text[0]) || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value >= low && value <= high ? std::optional(value) : std::nullopt;
}

std::optional<double> strict_number(std::string_view text, double low, double high) {
  if (text.empty() || !digit(text[0])) return std::nullopt;  // neither signs nor "nan"
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value >= low && value <= high ? std::optional(value) : std::nullopt;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    const int high = text.size() - at > 2 ? hex_value(text[at + 1]) : -1;
    const int low = text.size() - at > 2 ? hex_value(text[at + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return decoded;
}

Result<Parameters> parse_query(std::string_view query, const std::vector<std::string>& known) {
  Parameters parameters;
  if (!query.empty() && query.back() == '&') return Failure{"the query ends with &"};
  while (!query.empty()) {
    const std::string_view part = take_until(query, '&');
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals + 1 == part.size())
      return Failure{"a parameter of the query has no value"};
    const auto name = percent_decoded(part.substr(0, equals));
    const auto value = percent_decoded(part.substr(equals + 1));
    if (!name || !value) return Failure{"an escape in the query is malformed"};
    if (std::ranges::find(known, *name) == known.end()) return Failure{"the query has an unknown parameter"};
    if (!parameters.emplace(*name, *value).second) return Failure{"the query has the same parameter twice"};
  }
  return parameters;
}

}  // namespace nowhere
