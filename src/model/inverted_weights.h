// A described network of inverted residual blocks as the kernels take it. Free of LibTorch.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "kernels/inverted_network.h"
#include "model/description.h"

namespace nowhere {

// The numbers of a tensor in the order of its shape.
using TensorNumbers = std::function<std::vector<float>(const std::string& name)>;

// `maps`: the layers whose outputs are wanted, ascending; the last layer is one of them. A failure names the
// first layer that the kernels do not make.
Result<InvertedNetworkWeights> inverted_weights(const NetworkDescription& network,
                                                std::span<const size_t> maps, const TensorNumbers& numbers);

}  // namespace nowhere
