// Which photographs stand for what in an evaluation. Free of LibTorch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/photos.h"

namespace nowhere {

struct PhotoParts {
  std::vector<uint32_t> train, validation, test;
  bool by_sequence = true;  // else single photographs, which have near-identical neighbours on the other side
  std::string note;         // how they were parted, for people
};

// By sequence, as training does it. Where that leaves a side empty (a handful of sequences), every tenth
// photograph stands for validation and every tenth for test. Throws a data error when there are too few for
// that too.
PhotoParts part_photos(const Photos& photos, const std::vector<uint32_t>& selected);

}  // namespace nowhere
