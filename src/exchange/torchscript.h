// TorchScript: torch.jit.load in Python, torch::jit::load in C++.
#pragma once

#include <filesystem>

#include "exchange/exported_model.h"

namespace nowhere {

// Modules keep their names (main.0.weight), so that the state dict fits the networks too. The facts are in
// the archive's extra file "nowhere.json". The file is there whole, or an Error says why not.
void write_torchscript(const std::filesystem::path& path, const ExportedModel& model);

}  // namespace nowhere
