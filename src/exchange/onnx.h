// ONNX: onnxruntime and everything built on it.
#pragma once

#include <filesystem>

#include "exchange/exported_model.h"

namespace nowhere {

// The file is there whole, or an Error says why not; it names a layer that has no operator.
void write_onnx(const std::filesystem::path& path, const ExportedModel& model);

}  // namespace nowhere
