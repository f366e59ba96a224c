// Which checkpoints a run directory holds. Free of LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nowhere {

// Epochs with a checkpoint, full or slim, in rising order; those within an epoch do not count. Empty for what is no run.
std::vector<uint64_t> saved_epochs(const std::filesystem::path& run);

// The file to read a generator from: `path` itself when it is a file. Of a run directory the one of that epoch, or the
// newest, also within an epoch; slim before full. Throws a data error when there is none, a usage error for an epoch of a
// single file.
std::filesystem::path checkpoint_file(const std::filesystem::path& path, std::optional<uint64_t> epoch = {});

// What it is called: a run as its folder is, a lone checkpoint as its file. It is there.
std::string run_name(const std::filesystem::path& path);

// slim_checkpoint_3.pt -> checkpoint_3.pt; empty when the name is not of a slim one.
std::filesystem::path full_beside(const std::filesystem::path& slim);

}  // namespace nowhere
