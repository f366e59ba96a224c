// The Frechet distance between two sets of features, each taken for a Gaussian (FID).
#pragma once

#include <torch/torch.h>

namespace nowhere {

struct Gaussian {
  torch::Tensor mean;        // [d], float64
  torch::Tensor covariance;  // [d,d], float64, divided by N - 1
};

// Mean and covariance of features that come in chunks of any size.
class FeatureMoments {
 public:
  void add(const torch::Tensor& features);  // [M,d]

  int64_t count() const { return count_; }

  // Of at least two rows.
  Gaussian gaussian() const;

 private:
  int64_t count_ = 0;
  torch::Tensor mean_;     // [d]
  torch::Tensor scatter_;  // [d,d]: the sum of outer products of differences from the mean
};

// |m1 - m2|^2 + tr(S1) + tr(S2) - 2 tr((S1 S2)^1/2). The last trace is that of the symmetric (S1^1/2 S2
// S1^1/2)^1/2, by its eigenvalues: those are real whatever the covariances' rank, where a root of the product
// may not be.
double frechet_distance(const Gaussian& a, const Gaussian& b);

}  // namespace nowhere
