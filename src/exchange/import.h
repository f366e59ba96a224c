// A run directory from a checkpoint of the reference, or of another run. Free of LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>

#include "run/run_reader.h"

namespace nowhere {

struct Imported {
  uint64_t epoch = 0;
  int picture_size = 0;
  bool can_resume = false;  // the discriminator is there too
};

// From a lone checkpoint: itself where it is a full one, a slim one, config.json and the fixed noise's
// picture. Throws a data error for what is no checkpoint, a usage error when a run is there already.
Imported import_checkpoint(const RunReader& checkpoint, const std::filesystem::path& run);

}  // namespace nowhere
