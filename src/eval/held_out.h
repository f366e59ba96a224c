// Which photographs stand for what in an evaluation. Free of LibTorch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/photos.h"

namespace nowhere {

struct PhotoParts {
  std::vector<uint32_t> train, validation, test;  // in the order of the table
  bool by_sequence = true;  // else single photographs, which have near-identical neighbours on the other side
  std::string note;         // how they were parted, for people
};

// All photographs of a table, which are in drawn order: by sequence as training does it, by the file's name
// where no sequence is known. Where that leaves a side empty (a handful of sequences), every tenth photograph
// stands for validation and every tenth for test. Throws a data error when there are too few for that too.
PhotoParts part_photos(const Photos& photos);

// Two sets of photographs whose distance is the floor of other distances: as many in each, none in both.
struct FloorHalves {
  std::vector<int64_t> first, second;  // places in what was given
  bool by_sequence = false;            // no sequence is in both; else single photographs are apart
};

// Sequences go to one half or the other where there are at least two, and both halves become large enough.
FloorHalves halves_for_floor(const Photos& photos, std::span<const uint32_t> some);

}  // namespace nowhere
