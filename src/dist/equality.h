// Whether all ranks hold the same numbers.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dist/group.h"

namespace nowhere {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

// The name of the first tensor whose bits are not those of the other ranks; nothing when all are equal. Costs
// one pass over the tensors and a message of 16 bytes for each.
std::optional<std::string> first_difference(Group& group, const NamedTensors& tensors);

// The first rank whose text is not that of rank 0; nothing when all are equal. A name is used once.
std::optional<int> first_other_text(Group& group, const std::string& name, const std::string& text);

}  // namespace nowhere
