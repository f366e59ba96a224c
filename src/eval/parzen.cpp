#include "eval/parzen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"

namespace nowhere {

ParzenWindow::ParzenWindow(torch::Tensor points, std::vector<double> sigmas, int64_t scratch_bytes)
    : points_(std::move(points)), sigmas_(std::move(sigmas)), scratch_bytes_(scratch_bytes) {
  check_points(points_, "the real pictures");
  const bool usable = std::all_of(sigmas_.begin(), sigmas_.end(),
                                  [](double sigma) { return std::isfinite(sigma) && sigma > 0; });
  if (sigmas_.empty() || !usable)
    throw usage_error("a Parzen window needs sigmas above 0; give at least one");
  origin_ = mean_row(points_);
  nearest_ = torch::full(points_.size(0), std::numeric_limits<double>::infinity(), torch::kFloat64);
  sums_ = torch::zeros({static_cast<int64_t>(sigmas_.size()), points_.size(0)}, torch::kFloat64);
}

void ParzenWindow::add(const torch::Tensor& centres) {
  check_points(centres, "the generated pictures", 0, points_.size(1));
  // Two blocks of points; the distances, and their exponentials.
  const int64_t rows = rows_within(scratch_bytes_, points_.size(1), 2, 2);
  for (Rows of_centres : split_rows(centres.size(0), rows)) {
    const Block chunk = centred_block(centres, of_centres, origin_);
    for (Rows of_points : split_rows(points_.size(0), rows))
      add_block(centred_block(points_, of_points, origin_), of_points, chunk);
  }
  count_ += centres.size(0);
}

void ParzenWindow::add_up_to(int64_t most, const torch::Tensor& centres) {
  const int64_t missing = std::clamp<int64_t>(most - count_, 0, centres.size(0));
  if (missing > 0) add(centres.narrow(0, 0, missing));
}

void ParzenWindow::add_block(const Block& points, Rows rows, const Block& centres) {
  torch::Tensor distances = squared_distances(points, centres);  // [n,m]
  const torch::Tensor before = nearest_.narrow(0, rows.first, rows.count);
  const torch::Tensor nearest = torch::minimum(before, distances.amin(1));
  const torch::Tensor moved = before - nearest;  // infinite at first: what is not there yet weighs nothing
  distances.sub_(nearest.unsqueeze(1));
  torch::Tensor exponentials = torch::empty_like(distances);
  for (size_t i = 0; i < sigmas_.size(); ++i) {
    const torch::Tensor factor = torch::scalar_tensor(-0.5 / (sigmas_[i] * sigmas_[i]), torch::kFloat64);
    torch::mul_out(exponentials, distances, factor).exp_();
    sums_[static_cast<int64_t>(i)]
        .narrow(0, rows.first, rows.count)
        .mul_(torch::exp(moved * factor))
        .add_(exponentials.sum(1));
  }
  before.copy_(nearest);
}

torch::Tensor ParzenWindow::result() const {
  if (count_ == 0)
    throw data_error("a Parzen window has no generated pictures: add some before asking for its result");
  const double dimensions = static_cast<double>(points_.size(1));
  torch::Tensor likelihoods = (sums_ / count_).log_();
  for (size_t i = 0; i < sigmas_.size(); ++i) {
    const double sigma = sigmas_[i];
    likelihoods[static_cast<int64_t>(i)]
        .sub_(nearest_ / (2 * sigma * sigma))
        .sub_(dimensions * std::log(sigma * std::sqrt(2 * std::numbers::pi)));
  }
  return likelihoods;
}

std::vector<double> logspace(double low, double high, int count) {
  std::vector<double> values(static_cast<size_t>(count), low);
  for (int i = 1; i < count; ++i)
    values[static_cast<size_t>(i)] = low * std::pow(high / low, i / (count - 1.0));
  if (count > 1) values.back() = high;
  return values;
}

BestSigma best_sigma(const std::vector<double>& values) {
  const size_t index = static_cast<size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  return {index, index == 0 || index + 1 == values.size()};
}

MeanAndError mean_and_standard_error(const torch::Tensor& row) {
  const torch::Tensor values = row.to(torch::kFloat64);
  const double deviation = values.std(/*unbiased=*/false).item<double>();
  return {values.mean().item<double>(), deviation / std::sqrt(static_cast<double>(values.numel()))};
}

}  // namespace nowhere
