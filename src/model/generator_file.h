// A generator from any checkpoint: of this program or of the original, full or slim.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "archive/value.h"
#include "model/config.h"
#include "model/networks.h"

namespace nowhere {

struct LoadedGenerator {
  Generator generator{nullptr};  // evaluating, on the CPU; the average where the file has one
  ModelConfig config;
  uint64_t epoch = 0;
  int64_t images = 0;  // seen in training; 0 when the file does not say
  std::filesystem::path file;
};

// The generator of checkpoint_file(path, epoch). The original's slim files hold a number in the place of the weights; then
// the full checkpoint beside it is read. Throws a data error.
LoadedGenerator load_generator(const std::filesystem::path& path, std::optional<uint64_t> epoch = {});

// The sizes of a generator, read off its weights. Throws a data error when they are of no generator this program knows.
ModelConfig config_of_generator(const Value& state, const std::string& where);

}  // namespace nowhere
