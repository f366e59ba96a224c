// The generator in forms that other programs load. Free of LibTorch's headers, for the command line's sake.
#pragma once

#include <cstdint>
#include <filesystem>

#include "run/model_facts.h"
#include "run/run_reader.h"

namespace nowhere {

struct Exported {
  ModelFacts model;
  uint64_t bytes = 0;  // of the file
};

// The ending says the form: .ts for TorchScript, .onnx, .safetensors, .pt for a small checkpoint of this
// program. Throws a usage error for another one.
void check_export_ending(const std::filesystem::path& output);

// Makes the output's folder. Throws a data error for a checkpoint that cannot be used, and an Error when the
// file cannot be written: then what was there is untouched.
Exported export_generator(const RunReader& run, const CheckpointFile& file,
                          const std::filesystem::path& output);

}  // namespace nowhere
