// The generator as the chain of operators that every exported form spells out.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/generator_file.h"

namespace nowhere {

struct Layer {
  enum class Kind { kGrow, kNormalise, kRelu, kTanh };

  Kind kind = Kind::kRelu;
  std::string name = {};  // "0", "1", ...: the place in main
  // By their names within the layer: "weight", "running_mean". They share the network's memory, on the CPU, contiguous,
  // and want no gradient. All float32, but for num_batches_tracked.
  std::vector<std::pair<std::string, torch::Tensor>> parameters = {};
  std::vector<std::pair<std::string, torch::Tensor>> buffers = {};
  int64_t stride = 1;   // of kGrow
  int64_t padding = 0;  // of kGrow
  double epsilon = 0;   // of kNormalise
};

struct Chain {
  int nz = 0;  // numbers of a latent vector
  int nc = 0;  // channels of a picture
  int size = 0;
  std::vector<Layer> layers;
  // For whoever finds the file later: key and value, all text because two of the three formats hold nothing else.
  std::vector<std::pair<std::string, std::string>> facts;
};

// `name` is what the model is called in the facts. Throws Error when the network has a layer that has no place in such a
// chain.
Chain chain_of(const LoadedGenerator& loaded, const std::string& name);

}  // namespace nowhere
