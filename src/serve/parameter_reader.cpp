#include "serve/parameter_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "latent/seeds.h"

namespace nowhere {

void ParameterReader::fail(int status, std::string message) {
  if (failed()) return;
  status_ = status;
  message_ = std::move(message);
}

std::string_view ParameterReader::text(std::string_view name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? std::string_view() : found->second;
}

uint64_t ParameterReader::integer(std::string_view name, uint64_t low, uint64_t high) {
  const auto value = strict_integer(text(name), low, high);
  if (!value) fail(400, fmt::format("{} must be a whole number from {} to {}", name, low, high));
  return value.value_or(low);
}

uint64_t ParameterReader::integer(std::string_view name, uint64_t low, uint64_t high, uint64_t fallback) {
  return has(name) ? integer(name, low, high) : fallback;
}

double ParameterReader::number(std::string_view name, double low, double high, double fallback) {
  if (!has(name)) return fallback;
  const auto value = strict_number(text(name), low, high);
  if (!value) fail(400, fmt::format("{} must be a number from {} to {}", name, low, high));
  return value.value_or(fallback);
}

std::vector<uint64_t> ParameterReader::seeds(std::string_view name, size_t min, size_t max) {
  auto value = parse_seeds(text(name), max);
  if (!value || value->size() < min)
    fail(400, fmt::format("{} must be a list of {} to {} whole numbers, as in 1,2,5-9", name, min, max));
  return value ? std::move(*value) : std::vector<uint64_t>();
}

std::string ParameterReader::hex(std::string_view name, size_t min, size_t max) {
  if (!has(name)) return "";
  std::string value = lower(text(name));
  const bool digits = value.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!digits || value.size() < min || value.size() > max)
    fail(400, fmt::format("{} must be {} to {} hex digits", name, min, max));
  return value;
}

PictureFormat ParameterReader::format(std::initializer_list<PictureFormat> offered) {
  const auto format = format_of(text("format"));
  if (format && std::ranges::find(offered, *format) != offered.end()) return *format;
  std::vector<std::string> endings;
  for (const PictureFormat one : offered) endings.emplace_back(ending_of(one));
  fail(404, fmt::format("not found; the formats here are {}", join(endings, ", ")));
  return *offered.begin();
}

}  // namespace nowhere
