// EfficientNet-Lite as its published weights name it, up to the maps of stride 16, with batch norm folded
// into the convolutions. Inverted residuals without squeeze and excitation; ReLU6; TensorFlow's SAME padding.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/architectures/architecture.h"
#include "model/description.h"

namespace nowhere {

// A convolution of the description and the batch norm behind it in the file.
struct FoldedConvolution {
  std::string name;        // "_blocks.3._expand_conv", of both
  std::string batch_norm;  // "_blocks.3._bn0"
};

struct EfficientNetLite {
  NetworkDescription network;             // [3,S,S] in [-1,1]; its last layer is the last map
  std::vector<FoldedConvolution> folded;  // every convolution
  std::vector<size_t> maps;               // layers whose outputs are the maps: strides 4, 8, 16
};

inline constexpr double kEfficientNetEpsilon = 1e-3;  // of its batch norms

// By the shapes of the published state dict, so that the sizes of the family fit; nothing when they are of
// another network.
std::optional<EfficientNetLite> describe_efficientnet_lite(const TensorShapes& shapes, int img_size);

}  // namespace nowhere
