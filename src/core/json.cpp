#include "core/json.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/exact_json.h"
#include "core/file.h"
#include "core/text.h"

namespace nowhere {
namespace {

// "line 2, column 7, near 'xyz'"
std::string place(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  const std::string_view rest = text.substr(before.size(), 12);
  if (rest.empty()) return fmt::format("line {}, column {}, at the end", line, column);
  return fmt::format("line {}, column {}, near '{}'", line, column, printable_text(rest));
}

}  // namespace

boost::json::object parse_json_object(std::string_view text, const std::string& where) {
  boost::json::parse_options options;
  options.allow_trailing_commas = true;
  options.allow_comments = true;
  boost::system::error_code error;
  size_t used = 0;
  const boost::json::value value = parse_exactly(text, options, error, used);
  if (error)
    throw usage_error(fmt::format("{}: broken JSON ({}), {}; check quotes, commas and braces", where,
                                  error.message(), place(text, used)));
  if (!value.is_object()) throw usage_error(fmt::format("{}: a JSON object in braces is expected", where));
  return value.as_object();
}

boost::json::object read_json_file(const std::filesystem::path& path) {
  std::vector<uint8_t> bytes;
  if (auto read = read_file(path, bytes); !read) throw data_error(read.error().reason);
  try {
    return parse_json_object({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, printable(path));
  } catch (const Error& error) {
    throw data_error(error.what());
  }
}

std::string json_text(const boost::json::value& value) {
  return value.is_double() ? fmt::format("{}", value.as_double()) : boost::json::serialize(value);
}

std::string pretty(const boost::json::object& object) {
  std::string text = "{";
  for (const auto& [key, value] : object)
    text += fmt::format("{}\n  {}: {}", text.size() > 1 ? "," : "",
                        boost::json::serialize(boost::json::string(key)), json_text(value));
  return text + "\n}\n";
}

}  // namespace nowhere
