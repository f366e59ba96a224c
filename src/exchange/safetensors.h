// safetensors: the tensors by name and nothing that could run.
#pragma once

#include <filesystem>

#include "exchange/exported_model.h"

namespace nowhere {

// Names are those of the state dict (main.0.weight). The file is there whole, or an Error says why not.
void write_safetensors(const std::filesystem::path& path, const ExportedModel& model);

}  // namespace nowhere
