#include "data/photos.h"

#include <fmt/core.h>

#include "core/error.h"

namespace nowhere {

std::string_view name_of(View view) {
  switch (view) {
    case View::kForward:
      return "Forward";
    case View::kBackward:
      return "Backward";
    case View::kSideways:
      return "Sideways";
    case View::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view name_of(Subset subset) {
  switch (subset) {
    case Subset::kDatabase:
      return "database";
    case Subset::kQuery:
      return "query";
    case Subset::kNone:
      break;
  }
  return "none";
}

View view_from(std::string_view text) {
  for (View view : {View::kForward, View::kBackward, View::kSideways})
    if (text == name_of(view)) return view;
  return View::kUnknown;
}

Flag flag_from(std::string_view text) {
  if (text == "True" || text == "true" || text == "1") return Flag::kYes;
  if (text == "False" || text == "false" || text == "0") return Flag::kNo;
  return Flag::kUnknown;
}

uint32_t StringPool::add(std::string_view text) {
  const auto [entry, is_new] = numbers_.try_emplace(std::string(text), static_cast<uint32_t>(ends_.size()));
  if (is_new) {
    text_.append(text);
    ends_.push_back(text_.size());
  }
  return entry->second;
}

std::string_view Photos::key(const Photo& photo) const {
  const std::string_view file_name = name(photo);
  return file_name.substr(0, file_name.rfind('.'));
}

std::string_view Photos::file_name(const Photo& photo) const {
  const std::string_view path = name(photo);
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string Photos::identity(const Photo& photo) const {
  if (photo.subset != Subset::kNone)
    return fmt::format("{}/{}/{}", city(photo), name_of(photo.subset), name(photo));
  const std::string& label = folders[photo.folder].label;
  return label.empty() ? std::string(name(photo)) : fmt::format("{}/{}", label, name(photo));
}

void Photos::set_name(Photo& photo, std::string_view file_name) {
  if (names.size() + file_name.size() > std::numeric_limits<uint32_t>::max())
    throw data_error("too many photographs: their names exceed 4 GB; take one part of the data at a time");
  photo.name_offset = static_cast<uint32_t>(names.size());
  photo.name_length = static_cast<uint16_t>(file_name.size());  // a path has at most 4,096 bytes
  names.append(file_name);
}

}  // namespace nowhere
