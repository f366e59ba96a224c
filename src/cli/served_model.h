// A checkpoint's generator as a model for the server.
#pragma once

#include <memory>

#include "run/run_reader.h"
#include "serve/model.h"

namespace nowhere {

// `threads` make pictures; 0: as many as there are cores. Throws when the file cannot be loaded.
std::shared_ptr<Model> load_served_model(const RunReader& run, const CheckpointFile& file, int threads);

}  // namespace nowhere
