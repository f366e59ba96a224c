#include "eval/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nowhere {

std::vector<Rows> split_rows(int64_t count, int64_t rows) {
  std::vector<Rows> blocks;
  for (int64_t first = 0; first < count; first += rows)
    blocks.push_back({first, std::min(rows, count - first)});
  return blocks;
}

int64_t rows_within(int64_t bytes, int64_t dimensions, int64_t of_points, int64_t of_distances) {
  // The positive root of of_distances * rows^2 + of_points * dimensions * rows = numbers.
  const double numbers = static_cast<double>(bytes) / sizeof(double);
  const double linear = static_cast<double>(of_points * dimensions),
               square = static_cast<double>(of_distances);
  const double root = 2 * numbers / (linear + std::sqrt(linear * linear + 4 * square * numbers));
  return std::max<int64_t>(1, static_cast<int64_t>(root));
}

void check_points(const torch::Tensor& points, const std::string& name, int64_t least, int64_t dimensions) {
  if (points.dim() != 2 || points.size(1) == 0)
    throw Error(fmt::format("cannot score {}: rows of numbers are wanted, one row a picture", name));
  if (points.size(0) < least)
    throw data_error(
        fmt::format("cannot score {}: {} given, at least {} wanted", name, points.size(0), least));
  if (dimensions != 0 && points.size(1) != dimensions)
    throw Error(fmt::format("cannot score {}: rows of {} numbers do not compare with rows of {}", name,
                            points.size(1), dimensions));
}

torch::Tensor row_values(const torch::Tensor& points, Rows rows) {
  return points.detach().narrow(0, rows.first, rows.count).to(torch::kCPU, torch::kFloat64, false, true);
}

torch::Tensor mean_row(const torch::Tensor& points) {
  constexpr int64_t kBytes = int64_t{16} << 20;
  torch::Tensor sum = torch::zeros(points.size(1), torch::kFloat64);
  for (Rows rows : split_rows(points.size(0), rows_within(kBytes, points.size(1), 1, 0)))
    sum += row_values(points, rows).sum(0);
  return sum / points.size(0);
}

Block centred_block(const torch::Tensor& points, Rows rows, const torch::Tensor& centre) {
  Block block;
  block.values = row_values(points, rows).sub_(centre);
  block.squares = block.values.norm(2, 1).square_();
  if (!block.squares.isfinite().all().item<bool>())
    throw data_error(
        fmt::format("cannot score pictures {} to {} of {}: they have values that are not finite; "
                    "the network that made them may have diverged, so take an earlier checkpoint",
                    rows.first, rows.first + rows.count - 1, points.size(0)));
  return block;
}

torch::Tensor squared_distances(const Block& a, const Block& b) {
  torch::Tensor distances = torch::addmm(b.squares, a.values, b.values.t(), /*beta=*/1, /*alpha=*/-2);
  return distances.add_(a.squares.unsqueeze(1)).clamp_min_(0);
}

torch::Tensor distances_to(const Block& a, const Block& b, const torch::Tensor& rows) {
  return b.values.index_select(0, rows).sub_(a.values).norm(2, 1);
}

}  // namespace nowhere
