// Photographs as the networks are shown them, to compare with.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "data/source.h"
#include "train/config.h"

namespace nowhere {

// A draw from the photographs, the same from a folder as from its pack, cropped as in training; fewer where
// there are not as many. [N,nc,S,S] in [-1,1]
torch::Tensor reference_pictures(const Source& source, const std::vector<uint32_t>& photos,
                                 const TrainConfig& config, size_t count);

}  // namespace nowhere
