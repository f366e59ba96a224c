// A generator from any checkpoint: of this program or of the reference, full or slim.
#pragma once

#include <optional>
#include <string>

#include "archive/value.h"
#include "model/config.h"
#include "model/feature_maps.h"
#include "model/networks.h"
#include "run/model_facts.h"
#include "run/run_reader.h"

namespace nowhere {

struct LoadedGenerator {
  Generator generator{nullptr};  // evaluating, on the CPU; the average where the file has one
  ModelConfig config;
  ModelFacts facts;
};

// Of a checkpoint that was found in the run. Throws a data error.
LoadedGenerator load_generator(const RunReader& run, const CheckpointFile& file);

// What the networks of a checkpoint look like: by the architecture and the sizes that it names, or read off
// the shapes of its tensors where it names none, as files of the reference. Throws a data error; `where` says
// which file.
ModelConfig config_of_checkpoint(const Value& checkpoint, const std::string& where);

// The settings that a checkpoint was trained with; nothing for files of the reference.
std::optional<boost::json::object> settings_of_checkpoint(const Value& checkpoint, const std::string& where);

// The fixed latent vectors of a full checkpoint, [N,nz,1,1]; undefined when there are none that fit.
torch::Tensor noise_of_checkpoint(const Value& checkpoint, int64_t nz);

// Epoch and generator only: the content of a slim checkpoint. `frozen`: what it was trained through, or null.
Value slim_checkpoint(const Generator& generator, const ModelConfig& config, uint64_t epoch, int64_t images,
                      const std::string& settings, const FeatureMaps* frozen = nullptr);

// Which frozen network a model was trained through, as checkpoints note it.
Dict features_facts(const FeatureMaps& frozen);

}  // namespace nowhere
