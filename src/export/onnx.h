// ONNX: the generator for onnxruntime and its like.
#pragma once

#include <filesystem>

#include "export/chain.h"

namespace nowhere {

// Input "z", output "pictures", any number at a time; the facts are the model's metadata. The file is there whole, or an
// Error says why not: the format ends at 2 GB.
void write_onnx(const std::filesystem::path& path, const Chain& chain);

}  // namespace nowhere
