// Which photographs a set of packed files holds, and where.
#pragma once

#include <cstdint>
#include <span>

#include "core/hash.h"
#include "data/column.h"
#include "data/pack_reader.h"
#include "data/photos.h"

namespace nowhere {

// Where the frame of a photograph lies.
struct PackedRecord {
  uint64_t offset = 0;
  uint32_t size = 0;
  uint32_t pack = 0;  // the number of its file
};

// What the files hold as one data set. Of several files it is what one pack of all their photographs would
// have, in the same order: how they are spread over the files decides nothing, except which one of two
// different photographs of one name keeps it (the one in the file whose name comes first).
struct PackIndex {
  Photos photos;                 // with one folder for each file
  Column<PackedRecord> records;  // in the same order
  SetDigest digest;              // that of the one pack
  int64_t repeated = 0;          // photographs that were met again in another file, and left out
};

// Throws a data error that names the file when one cannot be part of the set that the first one begins.
void check_packs_fit(std::span<const PackReader> packs);

// Walks over the keys and metadata of all packs, opened by open_header(), and throws a data error when one is
// damaged. Reads no pixels; where photographs have the same name, the checksums of their frames.
PackIndex make_pack_index(std::span<const PackReader> packs);

// Gives the photographs their folders: the files, all with the columns of the whole set.
void set_pack_folders(Photos& photos, std::span<const PackReader> packs, const Folder& columns);

}  // namespace nowhere
