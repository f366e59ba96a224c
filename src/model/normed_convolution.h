// A convolution by a weight that is divided by its largest singular value, with bias and activation, as one
// function on the CPU: of LibTorch's operators there would be some twenty, most of them on a few numbers.
#pragma once

#include <torch/torch.h>

#include "model/description.h"

namespace nowhere {

// In the order of channels_last: a column of the weight as a matrix is (y, x, channel).
struct SingularVectors {
  torch::Tensor left, right;  // [K], [kernel*kernel*C]
  double value = 0;           // the largest singular value
};

// The weight [K,C,side,side] as a matrix [K, side*side*C], a view where it is in channels_last.
torch::Tensor weight_matrix(const torch::Tensor& weight);

// Whether the function computes this: float32 on the CPU, with a bias; stride 2 in a shape that suits a
// kernel, or stride 1 and maps that keep their size.
bool can_convolve_normed(const Convolution& shape, const torch::Tensor& maps, const torch::Tensor& weight);

// `slope` is that of the activation below 0, 1 for none. It has no second
// derivatives.
torch::Tensor convolve_normed(const Convolution& shape, const torch::Tensor& maps,
                              const torch::Tensor& weight, const torch::Tensor& bias,
                              const SingularVectors& vectors, double slope);

}  // namespace nowhere
