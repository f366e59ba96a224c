#include "eval/diversity.h"

#include "core/error.h"

namespace nowhere {

double mean_pairwise_distance(const torch::Tensor& points, int64_t scratch_bytes) {
  check_points(points, "the pictures", 2);
  const torch::Tensor centre = mean_row(points);
  const auto blocks = split_rows(points.size(0), rows_within(scratch_bytes, points.size(1), 2, 1));
  double sum = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block from = centred_block(points, blocks[i], centre);
    for (size_t j = i; j < blocks.size(); ++j) {  // each pair once
      torch::Tensor squares =
          squared_distances(from, j == i ? from : centred_block(points, blocks[j], centre));
      if (j == i) squares.triu_(1);
      sum += squares.sqrt_().sum().item<double>();
    }
  }
  const double count = static_cast<double>(points.size(0));
  return sum / (count * (count - 1) / 2);
}

Diversity pairwise_diversity(const torch::Tensor& generated, const torch::Tensor& real,
                             int64_t scratch_bytes) {
  check_points(generated, "the generated pictures", 2, real.size(1));
  const double of_generated = mean_pairwise_distance(generated, scratch_bytes);
  const double of_real = mean_pairwise_distance(real, scratch_bytes);
  if (of_real == 0) throw data_error("all real pictures are the same: there is no diversity to compare with");
  return {of_generated, of_real, of_generated / of_real};
}

}  // namespace nowhere
