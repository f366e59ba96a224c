// Sets of points as the rows of a matrix, worked through in blocks: what every score by distances needs.
// Points are [N,D] of any type and on any device, and stay as they are; the arithmetic is float64 on the CPU,
// on all threads.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

namespace nowhere {

// The scratch of one score, in bytes, where nobody says otherwise.
inline constexpr int64_t kScratchBytes = int64_t{256} << 20;

struct Rows {
  int64_t first = 0, count = 0;
};

// [0, count) in runs of `rows`, the last as long as it comes.
std::vector<Rows> split_rows(int64_t count, int64_t rows);

// How many rows a block may have so that `of_points` matrices [rows,dimensions] and `of_distances` matrices
// [rows,rows] of float64 stay below `bytes`; at least 1.
int64_t rows_within(int64_t bytes, int64_t dimensions, int64_t of_points, int64_t of_distances);

// Refuses what is not [N,D] with at least `least` rows, and another D than `dimensions` where that is not 0.
void check_points(const torch::Tensor& points, const std::string& name, int64_t least = 1,
                  int64_t dimensions = 0);

// A copy of some rows as float64 on the CPU: [count,D].
torch::Tensor row_values(const torch::Tensor& points, Rows rows);

// The mean of all rows: [D], float64.
torch::Tensor mean_row(const torch::Tensor& points);

struct Block {
  torch::Tensor values;   // [n,D], relative to a centre
  torch::Tensor squares;  // [n], their squared lengths
};

// Distances are the same from any centre; near the points' mean, less of them is lost to rounding. Refuses
// values that are not finite.
Block centred_block(const torch::Tensor& points, Rows rows, const torch::Tensor& centre);

// |a_i - b_j|^2: [n,m], by |a|^2 + |b|^2 - 2 ab, never below 0. Of two points that are equal it may be a
// rounding error above 0.
torch::Tensor squared_distances(const Block& a, const Block& b);

// |a_i - b_rows[i]|: [n], exact, and 0 for points that are equal.
torch::Tensor distances_to(const Block& a, const Block& b, const torch::Tensor& rows);

}  // namespace nowhere
