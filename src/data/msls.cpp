#include "data/msls.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "data/csv.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestKey = 255;  // of a sequence; those of MSLS have 22 characters

// Finds the photograph of a key. Tables are mostly in the order of the names, so the next one is tried first.
class KeyFinder {
 public:
  KeyFinder(Photos& photos, size_t begin, size_t end)
      : photos_(photos), begin_(begin), end_(end), next_(begin) {}

  Photo* find(std::string_view key) {
    if (next_ < end_ && key_at(next_) == key) return &photos_.all[next_++];
    const std::string prefix = std::string(key) + ".";
    size_t low = begin_, high = end_;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (photos_.name(photos_.all[middle]) < prefix)
        low = middle + 1;
      else
        high = middle;
    }
    for (; low < end_ && photos_.name(photos_.all[low]).starts_with(prefix); ++low)
      if (key_at(low) == key) {
        next_ = low + 1;
        return &photos_.all[low];
      }
    return nullptr;
  }

 private:
  std::string_view key_at(size_t at) const { return photos_.key(photos_.all[at]); }

  Photos& photos_;
  size_t begin_, end_, next_;
};

// Where the wanted columns of one table stand; npos for one that is missing.
struct Columns {
  size_t key = std::string_view::npos;
  std::vector<size_t> wanted;

  Columns(const CsvReader& csv, const std::vector<std::string>& names) {
    key = csv.column("key").value_or(key);
    for (const std::string& name : names) wanted.push_back(csv.column(name).value_or(std::string_view::npos));
  }
  bool has(size_t i) const { return wanted[i] != std::string_view::npos; }

  // The wanted cells of a row, empty where there is none; false when the row is too short.
  bool pick(const std::vector<std::string_view>& cells, std::vector<std::string_view>& values) const {
    bool whole = true;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const bool there = wanted[i] < cells.size();
      if (has(i) && !there) whole = false;
      values[i] = there ? cells[wanted[i]] : std::string_view();
    }
    return whole;
  }
};

// The tables of one folder, joined to its photographs by key.
class Tables {
 public:
  using Apply = std::function<void(Photo& photo, const std::vector<std::string_view>& cells)>;

  Tables(Photos& photos, size_t begin, size_t end, ScanCounts& counts, const std::function<bool()>& stop)
      : photos_(photos),
        begin_(begin),
        end_(end),
        counts_(counts),
        stop_(stop),
        lacks_row_(end - begin, false) {}
  ~Tables() { counts_.photos_without_row += std::count(lacks_row_.begin(), lacks_row_.end(), true); }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  // Calls apply(photo, the cells of the columns `names`) for every row that has a photograph. Returns which
  // of the columns are there.
  std::vector<bool> join(const fs::path& path, const std::vector<std::string>& names, const Apply& apply) {
    std::vector<bool> present(names.size(), false);
    std::vector<uint8_t> bytes;
    static_cast<void>(read_file(path, bytes));  // a table that cannot be read is missing
    CsvReader csv({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const Columns columns(csv, names);
    if (columns.key == std::string_view::npos) {
      ++counts_.missing_tables;
      return present;
    }
    for (size_t i = 0; i < names.size(); ++i) present[i] = columns.has(i);
    read_rows(csv, columns, apply);
    return present;
  }

 private:
  void read_rows(CsvReader& csv, const Columns& columns, const Apply& apply) {
    KeyFinder finder(photos_, begin_, end_);
    std::vector<bool> has_row(end_ - begin_, false);
    std::vector<std::string_view> cells, values(columns.wanted.size());
    while (csv.next(cells)) {
      if (stop_()) throw Stopped();
      if (columns.key >= cells.size() || cells[columns.key].empty()) {
        ++counts_.broken_rows;
        continue;
      }
      Photo* photo = finder.find(cells[columns.key]);
      if (photo == nullptr) {
        ++counts_.rows_without_photo;
        continue;
      }
      if (!columns.pick(cells, values)) ++counts_.broken_rows;
      has_row[static_cast<size_t>(photo - &photos_.all[begin_])] = true;
      apply(*photo, values);
    }
    for (size_t i = 0; i < has_row.size(); ++i)
      if (!has_row[i]) lacks_row_[i] = true;
  }

  Photos& photos_;
  size_t begin_, end_;
  ScanCounts& counts_;
  const std::function<bool()>& stop_;
  std::vector<bool> lacks_row_;  // in any of the tables that are there
};

void read_sequences(Photos& photos, Tables& tables, Folder& folder, const fs::path& beside) {
  std::string sequence;
  const auto apply = [&](Photo& photo, const std::vector<std::string_view>& cells) {
    const std::string_view key = cells[0].empty() ? cells[1] : cells[0];
    if (key.empty() || key.size() > kLongestKey) return;  // as good as no row
    sequence.assign(photos.city(photo)).append("/").append(printable_text(key));
    photo.sequence = photos.sequences.add(sequence);
    photo.frame = static_cast<int32_t>(parse_integer(cells[2]).value_or(0));
  };
  const auto present =
      tables.join(beside / "seq_info.csv", {"sequence_key", "sequence_id", "frame_number"}, apply);
  folder.has_sequence = present[0] || present[1];
}

void read_capture(Tables& tables, Folder& folder, const fs::path& beside) {
  const auto present = tables.join(
      beside / "raw.csv", {"pano"},
      [](Photo& photo, const std::vector<std::string_view>& cells) { photo.pano = flag_from(cells[0]); });
  folder.has_pano = present[0];
}

void read_attributes(Tables& tables, Folder& folder, const fs::path& beside) {
  const auto present = tables.join(
      beside / "postprocessed.csv", {"night", "control_panel", "view_direction", "easting", "northing"},
      [](Photo& photo, const std::vector<std::string_view>& cells) {
        photo.night = flag_from(cells[0]);
        photo.control_panel = flag_from(cells[1]);
        photo.view = view_from(cells[2]);
        const auto easting = parse_number(cells[3]), northing = parse_number(cells[4]);
        photo.has_position = easting && northing;
        photo.easting = easting.value_or(0);
        photo.northing = northing.value_or(0);
      });
  folder.has_night = present[0];
  folder.has_control_panel = present[1];
  folder.has_view = present[2];
  folder.has_position = present[3] && present[4];
}

}  // namespace

void read_msls_tables(Photos& photos, size_t begin, size_t end, ScanCounts& counts,
                      const std::function<bool()>& stop) {
  if (begin == end) return;
  Folder& folder = photos.folders[photos.all[begin].folder];
  const fs::path beside = folder.path.parent_path();
  const std::string subset_name = beside.filename().string();
  const Subset subset = subset_name == "query"      ? Subset::kQuery
                        : subset_name == "database" ? Subset::kDatabase
                                                    : Subset::kNone;
  if (folder.path.filename() != "images" || subset == Subset::kNone) return;

  const uint32_t city = photos.cities.add(printable(beside.parent_path().filename()));
  for (size_t i = begin; i < end; ++i) {
    photos.all[i].subset = subset;
    photos.all[i].city = city;
  }
  Tables tables(photos, begin, end, counts, stop);
  read_sequences(photos, tables, folder, beside);
  read_capture(tables, folder, beside);
  read_attributes(tables, folder, beside);
}

}  // namespace nowhere
