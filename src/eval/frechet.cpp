#include "eval/frechet.h"

#include <algorithm>

#include "core/error.h"
#include "eval/blocks.h"

namespace nowhere {
namespace {

constexpr int64_t kBlockBytes = int64_t{32} << 20;

// Of a symmetric matrix without negative eigenvalues but for rounding.
torch::Tensor symmetric_root(const torch::Tensor& matrix) {
  const auto [values, vectors] = torch::linalg_eigh(matrix);
  return torch::mm(vectors * values.clamp_min(0).sqrt(), vectors.t());
}

double trace_of_root_of_product(const torch::Tensor& a, const torch::Tensor& b) {
  const torch::Tensor root = symmetric_root(a);
  const torch::Tensor product = torch::mm(torch::mm(root, b), root);
  const torch::Tensor values = torch::linalg_eigvalsh((product + product.t()) / 2);
  return values.clamp_min(0).sqrt().sum().item<double>();
}

}  // namespace

void FeatureMoments::add(const torch::Tensor& features) {
  check_points(features, "the features", 0, count_ == 0 ? 0 : mean_.size(0));
  const int64_t size = features.size(1);
  if (count_ == 0) {
    mean_ = torch::zeros(size, torch::kFloat64);
    scatter_ = torch::zeros({size, size}, torch::kFloat64);
  }
  // Chan, Golub and LeVeque's merging of moments: nothing large is ever subtracted from something large.
  for (Rows rows : split_rows(features.size(0), rows_within(kBlockBytes, size, 1, 0))) {
    torch::Tensor values = row_values(features, rows);
    const torch::Tensor mean = values.mean(0), difference = mean - mean_;
    if (!mean.isfinite().all().item<bool>())
      throw data_error(
          "cannot score features that are not finite; the network that made the pictures may have diverged");
    const double before = static_cast<double>(count_), added = static_cast<double>(rows.count);
    values.sub_(mean);
    scatter_.addmm_(values.t(), values);
    scatter_.addr_(difference, difference, /*beta=*/1, /*alpha=*/before * added / (before + added));
    mean_ += difference * (added / (before + added));
    count_ += rows.count;
  }
}

Gaussian FeatureMoments::gaussian() const {
  if (count_ < 2) throw data_error("a covariance needs the features of two pictures; give more pictures");
  return {mean_.clone(), scatter_ / (count_ - 1)};
}

double frechet_distance(const Gaussian& a, const Gaussian& b) {
  const double means = (a.mean - b.mean).square().sum().item<double>();
  const double traces = a.covariance.trace().item<double>() + b.covariance.trace().item<double>();
  return std::max(0.0, means + traces - 2 * trace_of_root_of_product(a.covariance, b.covariance));
}

}  // namespace nowhere
