// The table of photographs: what there is and what is known of each, compact enough for millions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nowhere {

enum class Flag : uint8_t { kUnknown, kNo, kYes };
enum class View : uint8_t { kUnknown, kForward, kBackward, kSideways };
enum class Subset : uint8_t { kNone, kDatabase, kQuery };

std::string_view name_of(View view);
std::string_view name_of(Subset subset);
View view_from(std::string_view text);
Flag flag_from(std::string_view text);  // True, False, 1, 0

constexpr uint32_t kNoWord = std::numeric_limits<uint32_t>::max();

// Words kept once each.
class Words {
 public:
  uint32_t add(std::string_view word);
  const std::string& operator[](uint32_t number) const { return *words_[number]; }
  size_t size() const { return words_.size(); }

 private:
  std::vector<const std::string*> words_;  // the keys of numbers_, which do not move
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
  uint32_t city = kNoWord;      // in Photos::cities
  uint32_t sequence = kNoWord;  // in Photos::sequences: "city/key", since keys are unique in a city at best
  int32_t frame = 0;
  double easting = 0;  // metres
  double northing = 0;
};

struct Folder {
  std::filesystem::path path;
  std::string label;  // "ROOT/below", the root's name and the way from there; empty in a packed file
  // Columns that the CSVs beside an MSLS folder really have.
  bool has_sequence = false, has_night = false, has_view = false, has_pano = false, has_control_panel = false,
       has_position = false;
};

class Photos {
 public:
  std::vector<Photo> all;
  std::vector<Folder> folders;
  std::string names;  // file names, one after the other
  Words cities;
  Words sequences;

  std::string_view name(const Photo& photo) const {
    return std::string_view(names).substr(photo.name_offset, photo.name_length);
  }
  std::string_view key(const Photo& photo) const;  // the name without its ending
  std::string_view file_name(
      const Photo& photo) const;  // in a packed file, a name may be a way through folders
  std::filesystem::path path(const Photo& photo) const { return folders[photo.folder].path / name(photo); }
  std::string_view city(const Photo& photo) const { return word(cities, photo.city); }
  std::string_view sequence(const Photo& photo) const { return word(sequences, photo.sequence); }

  // Which photograph this is, wherever its folder lies: city/subset/name in the MSLS layout, elsewhere the name of
  // the folder that was scanned and the way from there.
  std::string identity(const Photo& photo) const;

  void set_name(Photo& photo, std::string_view file_name);

 private:
  static std::string_view word(const Words& words, uint32_t number) {
    return number == kNoWord ? std::string_view() : std::string_view(words[number]);
  }
};

}  // namespace nowhere
