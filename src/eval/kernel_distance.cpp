#include "eval/kernel_distance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "eval/blocks.h"
#include "eval/subset.h"

namespace nowhere {
namespace {

torch::Tensor kernel(const torch::Tensor& a, const torch::Tensor& b) {
  return torch::mm(a, b.t()).div_(a.size(1)).add_(1).pow_(3);
}

// The mean over pairs of different rows.
double mean_within(const torch::Tensor& values) {
  const torch::Tensor of_all = kernel(values, values);
  const double count = static_cast<double>(values.size(0));
  return (of_all.sum() - of_all.trace()).item<double>() / (count * (count - 1));
}

torch::Tensor chosen(const torch::Tensor& features, int64_t size, uint64_t seed, Draw side, int64_t number) {
  const torch::Tensor rows = draw_rows(features.size(0), size, seed, side, static_cast<uint64_t>(number));
  return features.index_select(0, rows.to(features.device()));
}

}  // namespace

double squared_discrepancy(const torch::Tensor& real, const torch::Tensor& generated) {
  check_points(real, "the real features", 2);
  check_points(generated, "the generated features", 2, real.size(1));
  const torch::Tensor x = row_values(real, {0, real.size(0)}),
                      y = row_values(generated, {0, generated.size(0)});
  const double value = mean_within(x) + mean_within(y) - 2 * kernel(x, y).mean().item<double>();
  if (!std::isfinite(value))
    throw data_error(
        "cannot score features that are not finite; the network that made the pictures may have diverged");
  return value;
}

KernelDistance kernel_distance(const torch::Tensor& real, const torch::Tensor& generated,
                               const KernelDistanceOptions& options) {
  check_points(real, "the real features", 2);
  check_points(generated, "the generated features", 2, real.size(1));
  if (options.subsets < 1 || options.subset_size < 2)
    throw usage_error("a kernel distance needs at least one subset of at least two pictures");
  const int64_t size = std::min({options.subset_size, real.size(0), generated.size(0)});
  std::vector<double> values;
  for (int64_t i = 0; i < options.subsets; ++i)
    values.push_back(squared_discrepancy(chosen(real, size, options.seed, Draw::kKernelReal, i),
                                         chosen(generated, size, options.seed, Draw::kKernelGenerated, i)));
  const torch::Tensor all = torch::tensor(values, torch::kFloat64);
  return {all.mean().item<double>(), all.std(/*unbiased=*/false).item<double>(), size};
}

}  // namespace nowhere
