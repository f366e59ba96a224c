// The table of photographs: which there are and what is known about each, compact enough for millions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/column.h"

namespace nowhere {

enum class Flag : uint8_t { kUnknown, kNo, kYes };
enum class View : uint8_t { kUnknown, kForward, kBackward, kSideways };
enum class Subset : uint8_t { kNone, kDatabase, kQuery };

std::string_view name_of(View view);
std::string_view name_of(Subset subset);
View view_from(std::string_view text);
Flag flag_from(std::string_view text);  // True, False, 1, 0

constexpr uint32_t kNoString = std::numeric_limits<uint32_t>::max();

// Every string once, by a number.
class StringPool {
 public:
  StringPool() = default;
  // Strings that lie one after the other; number i ends at ends[i]. Nothing is added to such a pool.
  StringPool(Column<uint64_t> ends, Column<char> text) : ends_(std::move(ends)), text_(std::move(text)) {}

  uint32_t add(std::string_view text);  // the number of the string, the same for equal ones
  std::string_view operator[](uint32_t number) const {
    const uint64_t begin = number == 0 ? 0 : ends_[number - 1];
    return {text_.data() + begin, static_cast<size_t>(ends_[number] - begin)};
  }
  size_t size() const { return ends_.size(); }

  const Column<uint64_t>& ends() const { return ends_; }
  const Column<char>& text() const { return text_; }

 private:
  Column<uint64_t> ends_;
  Column<char> text_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

struct Photo {
  uint32_t folder = 0;       // in Photos::folders
  uint32_t name_offset = 0;  // in Photos::names
  uint16_t name_length = 0;
  Flag night = Flag::kUnknown;
  Flag pano = Flag::kUnknown;
  Flag control_panel = Flag::kUnknown;
  View view = View::kUnknown;
  Subset subset = Subset::kNone;
  bool has_position = false;
  uint32_t city = kNoString;      // in Photos::cities
  uint32_t sequence = kNoString;  // in Photos::sequences: "city/key", since keys are unique in a city at best
  int32_t frame = 0;
  double easting = 0;  // metres
  double northing = 0;
};

struct Folder {
  std::filesystem::path path;
  std::string label;  // "ROOT/below": the root's name and the path below it; empty in a packed file
  // The columns that the CSV files of an MSLS folder have.
  bool has_sequence = false, has_night = false, has_view = false, has_pano = false, has_control_panel = false,
       has_position = false;
};

class Photos {
 public:
  Column<Photo> all;
  std::vector<Folder> folders;
  Column<char> names;  // file names, one after the other
  StringPool cities;
  StringPool sequences;

  std::string_view name(const Photo& photo) const {
    return std::string_view(names.data(), names.size()).substr(photo.name_offset, photo.name_length);
  }
  std::string_view key(const Photo& photo) const;  // the name without its ending
  // The last part of the name, which in a packed file may be a path below the folder that was packed.
  std::string_view file_name(const Photo& photo) const;
  std::filesystem::path path(const Photo& photo) const { return folders[photo.folder].path / name(photo); }
  std::string_view city(const Photo& photo) const { return text_of(cities, photo.city); }
  std::string_view sequence(const Photo& photo) const { return text_of(sequences, photo.sequence); }

  // Which photograph this is, wherever its folder lies: city/subset/name in the MSLS layout, elsewhere the
  // name of the folder that was scanned and the path below it.
  std::string identity(const Photo& photo) const;

  void set_name(Photo& photo, std::string_view file_name);

 private:
  static std::string_view text_of(const StringPool& pool, uint32_t number) {
    return number == kNoString ? std::string_view() : pool[number];
  }
};

}  // namespace nowhere
