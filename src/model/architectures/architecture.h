// The table of architectures. A new one is a file beside this one and a row in architecture.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/description.h"

namespace nowhere {

// The shapes of a state dict by tensor name, without the "module." of distributed runs.
using TensorShapes = std::map<std::string, std::vector<int64_t>>;

struct Architecture {
  std::string name;     // in config.json, in every checkpoint, of --architecture
  std::string summary;  // a few words for the help
  // [nz,1,1] -> [nc,S,S] in [-1,1]
  NetworkDescription (*generator)(const ModelConfig& config) = nullptr;
  // At full size: [nc,S,S] in [-1,1] -> [1,1,1], a logit
  NetworkDescription (*discriminator)(const ModelConfig& config) = nullptr;
  // The sizes of networks whose file does not name them, as those of the reference; the discriminator's
  // shapes may be missing. Nothing when they are of another architecture.
  std::optional<ModelConfig> (*recognise)(const TensorShapes& generator,
                                          const TensorShapes& discriminator) = nullptr;
};

const std::vector<Architecture>& architectures();
std::vector<std::string> architecture_names();

// Throws a usage error that lists the known ones.
const Architecture& architecture(const std::string& name);

NetworkDescription describe_generator(const ModelConfig& config);

// The rows.
Architecture dcgan_architecture();
Architecture residual_architecture();

}  // namespace nowhere
