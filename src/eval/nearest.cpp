#include "eval/nearest.h"

#include <limits>
#include <utility>

namespace nowhere {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of some queries among one block of references.
struct Blocks {
  const Block& from;
  const Block& to;
  torch::Tensor squares;  // [n,m]
};

// By exact distances, which are comparable between blocks: those of the product carry its rounding.
torch::Tensor exact(const Blocks& blocks, const torch::Tensor& smallest, const torch::Tensor& row) {
  return distances_to(blocks.from, blocks.to, row).masked_fill_(smallest.isinf(), kInfinity);
}

// groups: [m], of the references
Neighbours nearest_in(const Blocks& blocks, const torch::Tensor& groups, int64_t first_index) {
  const auto [smallest, row] = blocks.squares.min(1);
  const torch::Tensor group = groups.index_select(0, row);
  const torch::Tensor same_group = groups.unsqueeze(0) == group.unsqueeze(1);  // [n,m]
  const auto [other, other_row] = blocks.squares.masked_fill(same_group, kInfinity).min(1);
  return {exact(blocks, smallest, row), row + first_index, group, exact(blocks, other, other_row)};
}

}  // namespace

torch::Tensor relative_distances(const Neighbours& neighbours) {
  // Of a photograph that is there twice, a copy is a copy of both.
  return (neighbours.distances / neighbours.others).masked_fill(neighbours.distances == 0, 0);
}

NearestNeighbours::NearestNeighbours(torch::Tensor queries, Exclude exclude, int64_t scratch_bytes)
    : queries_(std::move(queries)), exclude_(exclude), scratch_bytes_(scratch_bytes) {
  check_points(queries_, "the pictures whose neighbours are sought");
  centre_ = mean_row(queries_);
  const int64_t count = queries_.size(0);
  best_ = {torch::full(count, kInfinity, torch::kFloat64), torch::full(count, -1, torch::kInt64),
           torch::full(count, -1, torch::kInt64), torch::full(count, kInfinity, torch::kFloat64)};
}

void NearestNeighbours::add(const torch::Tensor& references, int64_t first_index,
                            const torch::Tensor& groups) {
  check_points(references, "the pictures to compare with", 0, queries_.size(1));
  const torch::Tensor known = groups.defined() ? groups : torch::zeros(references.size(0), torch::kInt64);
  // Two blocks of points and the neighbours that were found; the distances, and those to other groups.
  const int64_t rows = rows_within(scratch_bytes_, queries_.size(1), 4, 2);
  for (Rows of_references : split_rows(references.size(0), rows)) {
    const Block to = centred_block(references, of_references, centre_);
    const torch::Tensor their_groups = known.narrow(0, of_references.first, of_references.count);
    const int64_t first = first_index + of_references.first;
    for (Rows of_queries : split_rows(queries_.size(0), rows)) {
      const Block from = centred_block(queries_, of_queries, centre_);
      Blocks blocks{from, to, squared_distances(from, to)};
      // Where query i meets reference i: on the diagonal that is shifted by the difference of the blocks'
      // starts.
      const int64_t shift = of_queries.first - first;
      if (exclude_ == Exclude::kOwnIndex && shift > -of_queries.count && shift < of_references.count)
        blocks.squares.diagonal(shift).fill_(kInfinity);
      take(of_queries, nearest_in(blocks, their_groups, first));
    }
  }
}

// The nearest of another group is among these four: the nearest and the nearest of another group, of what was
// known and of what was found.
void NearestNeighbours::take(const Rows& queries, const Neighbours& found) {
  const auto mine = [&](const torch::Tensor& of_all) {
    return of_all.narrow(0, queries.first, queries.count);
  };
  const Neighbours known{mine(best_.distances), mine(best_.indices), mine(best_.groups), mine(best_.others)};
  const torch::Tensor nearer = found.distances < known.distances;
  const auto winner = [&](const torch::Tensor& of_found, const torch::Tensor& of_known) {
    return torch::where(nearer, of_found, of_known);
  };
  const auto loser = [&](const torch::Tensor& of_found, const torch::Tensor& of_known) {
    return torch::where(nearer, of_known, of_found);
  };
  const torch::Tensor group = winner(found.groups, known.groups);
  const torch::Tensor beaten =
      torch::where(loser(found.groups, known.groups) == group, loser(found.others, known.others),
                   loser(found.distances, known.distances));
  const torch::Tensor others = torch::minimum(winner(found.others, known.others), beaten);
  const torch::Tensor indices = winner(found.indices, known.indices);
  known.distances.copy_(torch::minimum(found.distances, known.distances));
  known.indices.copy_(indices);
  known.groups.copy_(group);
  known.others.copy_(others);
}

}  // namespace nowhere
