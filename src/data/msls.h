// The tables that Mapillary Street-Level Sequences puts beside each `images` folder.
#pragma once

#include "data/photos.h"
#include "data/scan.h"

namespace nowhere {

// Gives the photographs of one folder ([begin, end) of photos.all, ordered by name) their city and subset
// from the folder's place, .../CITY/{query,database}/images, and the rest from the tables beside it.
// Elsewhere it does nothing.
void read_msls_tables(Photos& photos, size_t begin, size_t end, ScanCounts& counts,
                      const std::function<bool()>& stop);

}  // namespace nowhere
