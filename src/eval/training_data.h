// What a run was trained on, as far as it can be found again. Free of LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/source.h"
#include "run/run_reader.h"

namespace nowhere {

struct TrainingData {
  const Source* source = nullptr;  // nothing: it is not known what the run was trained on
  std::vector<uint32_t> photos;    // of it; at least those that took part
  std::string unknown;             // why it is not known, without naming folders
  std::unique_ptr<Source> opened;  // `source`, where it is not the one that is judged by
};

// By what the run's config.json says. A relative path is taken from where the run was started, which follows
// from where its folder lies, never from where this program was. `judged` is the source of the path `data`.
TrainingData find_training_data(const RunReader& run, const std::filesystem::path& run_folder,
                                const std::filesystem::path& data, const Source& judged);

}  // namespace nowhere
