// JSON as people write it.
#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace nowhere {

// An object; a comma after the last entry and comments are accepted. Throws a usage error that says where it is broken;
// `where` names the text: "-t", a file.
boost::json::object parse_json_object(std::string_view text, const std::string& where);

// The same of a file. What cannot be read is a data error, as is broken JSON: it is not the user's typing.
boost::json::object read_json_file(const std::filesystem::path& path);

// As serialize() gives it, but 0.001 instead of 1E-3.
std::string json_text(const boost::json::value& value);

// One key a line.
std::string pretty(const boost::json::object& object);

}  // namespace nowhere
