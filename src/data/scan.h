// Which photographs a folder holds, with the metadata of the MSLS layout where there are any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/photos.h"

namespace nowhere {

// What the scan met besides photographs, for the summary.
struct ScanCounts {
  int64_t other_files = 0;         // not photographs, by their ending
  int64_t unreadable_folders = 0;  // no permission, or a link to nowhere
  int64_t repeated_folders = 0;    // reached again through a link
  int64_t missing_tables = 0;      // seq_info.csv, raw.csv or postprocessed.csv that an MSLS folder lacks
  int64_t broken_rows = 0;         // rows with too few cells
  int64_t rows_without_photo = 0;
  int64_t photos_without_row = 0;  // of those in folders that have a table
};

struct Scan {
  std::filesystem::path root;
  Photos photos;  // ordered by folder, then by name
  ScanCounts counts;
};

// Recursive, following links once. Opens no photograph. Throws when there is no such folder, or no
// photograph, and Stopped soon after stop() says so.
Scan scan_folder(
    const std::filesystem::path& root, const std::function<bool()>& stop = [] { return false; });

}  // namespace nowhere
