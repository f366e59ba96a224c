// A generator with its weights, ready to be written in another program's format.
#pragma once

#include <torch/torch.h>

#include <string>
#include <utility>
#include <vector>

#include "model/generator_file.h"

namespace nowhere {

struct ExportedTensor {
  TensorDescription description;  // its name without the layer's
  torch::Tensor numbers;          // the network's memory, on the CPU, contiguous, without gradients
};

class ExportedModel {
 public:
  explicit ExportedModel(const LoadedGenerator& loaded);

  const NetworkDescription& network() const { return network_; }
  // The tensors of a layer, parameters first.
  const std::vector<ExportedTensor>& tensors(size_t layer) const { return tensors_[layer]; }
  // For whoever finds the file later: key and value, all text because two of the three formats hold nothing
  // else.
  const std::vector<std::pair<std::string, std::string>>& facts() const { return facts_; }

 private:
  NetworkDescription network_;
  std::vector<std::vector<ExportedTensor>> tensors_;  // of each layer
  std::vector<std::pair<std::string, std::string>> facts_;
};

}  // namespace nowhere
