#include "eval/nearest.h"

#include <limits>
#include <utility>

namespace nowhere {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

NearestNeighbours::NearestNeighbours(torch::Tensor queries, Exclude exclude, int64_t scratch_bytes)
    : queries_(std::move(queries)), exclude_(exclude), scratch_bytes_(scratch_bytes) {
  check_points(queries_, "the pictures whose neighbours are sought");
  centre_ = mean_row(queries_);
  best_ = {torch::full(queries_.size(0), kInfinity, torch::kFloat64),
           torch::full(queries_.size(0), -1, torch::kInt64)};
}

void NearestNeighbours::add(const torch::Tensor& references, int64_t first_index) {
  check_points(references, "the pictures to compare with", 0, queries_.size(1));
  // Two blocks of points and the neighbours that were found; the distances.
  const int64_t rows = rows_within(scratch_bytes_, queries_.size(1), 3, 1);
  for (Rows of_references : split_rows(references.size(0), rows)) {
    const Block to = centred_block(references, of_references, centre_);
    const int64_t first = first_index + of_references.first;
    for (Rows of_queries : split_rows(queries_.size(0), rows)) {
      const Block from = centred_block(queries_, of_queries, centre_);
      torch::Tensor squares = squared_distances(from, to);  // [n,m]
      // Where query i meets reference i: on the diagonal that is shifted by the difference of the blocks'
      // starts.
      const int64_t shift = of_queries.first - first;
      if (exclude_ == Exclude::kOwnIndex && shift > -of_queries.count && shift < of_references.count)
        squares.diagonal(shift).fill_(kInfinity);
      const auto [smallest, row] = squares.min(1);
      // Compared with what other blocks gave by exact distances: those of the product carry its rounding.
      const torch::Tensor distance = distances_to(from, to, row).masked_fill_(smallest.isinf(), kInfinity);
      const torch::Tensor distances = best_.distances.narrow(0, of_queries.first, of_queries.count);
      const torch::Tensor indices = best_.indices.narrow(0, of_queries.first, of_queries.count);
      const torch::Tensor nearer = distance < distances;
      distances.copy_(torch::where(nearer, distance, distances));
      indices.copy_(torch::where(nearer, row + first, indices));
    }
  }
}

}  // namespace nowhere
