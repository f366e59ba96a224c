// JSON files and arguments.
#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace nowhere {

// Accepts a comma after the last entry, and comments. Throws a usage error that says where the text is
// broken; `where` names the text: "-t", a file.
boost::json::object parse_json_object(std::string_view text, const std::string& where);

// The same from a file. Throws data errors, for broken JSON too: the user did not type it.
boost::json::object read_json_file(const std::filesystem::path& path);

// Like serialize(), but with 0.001 instead of 1E-3: the shortest text that reads back as the same number.
std::string json_text(const boost::json::value& value);

// With one key on each line.
std::string pretty(const boost::json::object& object);

}  // namespace nowhere
