// The generator in forms that other programs load. Free of LibTorch's headers, for the command line's sake.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace nowhere {

struct Exported {
  std::filesystem::path checkpoint;  // which was read
  uint64_t epoch = 0;
  int nz = 0;    // numbers of a latent vector
  int size = 0;  // pixels of a picture's side
  uint64_t bytes = 0;
};

// `run_or_checkpoint` and `epoch` are what load_generator takes. The output's ending says the form: .ts for TorchScript, .onnx,
// .safetensors; its folder is made. Throws a usage error for another ending, a data error for a checkpoint that cannot
// be used, and an Error when the file cannot be written: then what was there is as it was.
Exported export_generator(const std::filesystem::path& run_or_checkpoint, const std::filesystem::path& output,
                          std::optional<uint64_t> epoch = {});

}  // namespace nowhere
