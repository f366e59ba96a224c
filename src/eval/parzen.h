// The Gaussian Parzen window: how likely real pictures are under a mixture of Gaussians, one around each
// generated picture.
//
//   LL(x) = log mean_j exp(-|x - mu_j|^2 / (2 sigma^2)) - D log(sigma sqrt(2 pi))
//
// In nats for the whole picture, pixels in [0,1].
#pragma once

#include <torch/torch.h>

#include <vector>

#include "eval/blocks.h"

namespace nowhere {

// Scores the same points for several sigmas at once, the mixture's centres being fed in chunks of any size.
// Beside the points, which it keeps as they were given, it needs sigmas * N float64 and the scratch.
class ParzenWindow {
 public:
  // points: [N,D], what is to be scored.
  ParzenWindow(torch::Tensor points, std::vector<double> sigmas, int64_t scratch_bytes = kScratchBytes);

  // centres: [M,D], generated pictures.
  void add(const torch::Tensor& centres);
  // The first of them, as many as are missing from `most` centres in all.
  void add_up_to(int64_t most, const torch::Tensor& centres);

  int64_t centres() const { return count_; }
  int64_t dimensions() const { return points_.size(1); }

  // Log likelihoods under all centres so far: [sigmas,N], float64.
  torch::Tensor result() const;

 private:
  void add_block(const Block& points, Rows rows, const Block& centres);

  torch::Tensor points_;  // [N,D]
  std::vector<double> sigmas_;
  int64_t scratch_bytes_;
  torch::Tensor origin_;  // [D]
  torch::Tensor
      nearest_;  // [N]: the smallest squared distance so far, which is the largest exponent for every sigma
  torch::Tensor sums_;  // [sigmas,N]: of the exponentials, relative to that of `nearest_`
  int64_t count_ = 0;
};

// From `low` to `high`, both included, by equal factors.
std::vector<double> logspace(double low, double high, int count);

struct BestSigma {
  size_t index = 0;
  bool on_edge = false;  // the grid ends here: a better sigma may lie outside
};

// values: a mean log likelihood for each sigma of a grid.
BestSigma best_sigma(const std::vector<double>& values);

struct MeanAndError {
  double mean = 0, standard_error = 0;
};

// row: [N]. The standard error is the population's deviation / sqrt(N).
MeanAndError mean_and_standard_error(const torch::Tensor& row);

}  // namespace nowhere
