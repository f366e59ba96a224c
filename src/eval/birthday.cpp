#include "eval/birthday.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "eval/subset.h"

namespace nowhere {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The closest pair among some rows, named by the rows of the whole set.
ClosestPair closest_among(const torch::Tensor& points, const torch::Tensor& rows, int64_t scratch_bytes,
                          std::optional<double> beyond) {
  const ClosestPair pair =
      closest_pair(points.index_select(0, rows.to(points.device())), scratch_bytes, beyond);
  const int64_t a = rows[pair.first].item<int64_t>(), b = rows[pair.second].item<int64_t>();
  return {std::min(a, b), std::max(a, b), pair.distance};
}

// The closest pair of each batch.
std::vector<ClosestPair> closest_of_batches(const torch::Tensor& points, const BirthdayOptions& options,
                                            Draw side, std::optional<double> beyond = {}) {
  const int64_t count = points.size(0), size = options.batch_size;
  const bool enough = options.batches * size <= count;
  const torch::Tensor order =
      enough ? draw_rows(count, options.batches * size, options.seed, side) : torch::Tensor();
  std::vector<ClosestPair> pairs;
  for (int64_t i = 0; i < options.batches; ++i) {
    const torch::Tensor rows = enough ? order.narrow(0, i * size, size)
                                      : draw_rows(count, size, options.seed, side, static_cast<uint64_t>(i));
    pairs.push_back(closest_among(points, rows, options.scratch_bytes, beyond));
  }
  return pairs;
}

ClosestPair closest(const std::vector<ClosestPair>& pairs) {
  return *std::min_element(pairs.begin(), pairs.end(), [](const ClosestPair& a, const ClosestPair& b) {
    return a.distance < b.distance;
  });
}

// Squared distances that do not count. Those of equal points may be a rounding error above 0.
double ignored_square(const Block& a, const Block& b, double beyond) {
  constexpr double kRounding = 1e-11;
  const double lengths = a.squares.max().item<double>() + b.squares.max().item<double>();
  return std::max(beyond * beyond, kRounding * lengths);
}

}  // namespace

ClosestPair closest_pair(const torch::Tensor& points, int64_t scratch_bytes, std::optional<double> beyond) {
  check_points(points, "the pictures", 2);
  const torch::Tensor centre = mean_row(points);
  // Two blocks of points and the neighbours that were found; the distances, and the mask of those that count.
  const auto blocks = split_rows(points.size(0), rows_within(scratch_bytes, points.size(1), 3, 2));
  ClosestPair best{0, 0, kInfinity};
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block from = centred_block(points, blocks[i], centre);
    for (size_t j = i; j < blocks.size(); ++j) {  // each pair once
      const Block to = j == i ? from : centred_block(points, blocks[j], centre);
      torch::Tensor squares = squared_distances(from, to);
      if (j == i) squares.masked_fill_(torch::ones_like(squares, torch::kBool).tril_(), kInfinity);
      if (beyond) squares.masked_fill_(squares <= ignored_square(from, to, *beyond), kInfinity);
      const auto [smallest, row] = squares.min(1);
      // Pairs compare by exact distances: those of the product carry its rounding.
      const torch::Tensor distance = distances_to(from, to, row).masked_fill_(smallest.isinf(), kInfinity);
      const int64_t nearest = distance.argmin().item<int64_t>();
      if (distance[nearest].item<double>() < best.distance)
        best = {blocks[i].first + nearest, blocks[j].first + row[nearest].item<int64_t>(),
                distance[nearest].item<double>()};
    }
  }
  return best;
}

BirthdayTest birthday_test(const torch::Tensor& generated, const torch::Tensor& real,
                           const BirthdayOptions& options) {
  if (options.batches < 1 || options.batch_size < 2)
    throw usage_error("a birthday test needs at least one batch of at least two pictures");
  check_points(real, "the real pictures", options.batch_size);
  check_points(generated, "the generated pictures", options.batch_size, real.size(1));
  BirthdayTest test;
  const double nearest =
      closest(closest_of_batches(real, options, Draw::kBirthdayReal, options.same)).distance;
  test.threshold = std::isfinite(nearest) ? nearest : options.same;  // or all are the same picture
  test.batches = options.batches;
  test.batch_size = options.batch_size;
  const auto pairs = closest_of_batches(generated, options, Draw::kBirthdayGenerated);
  test.with_duplicates = std::count_if(pairs.begin(), pairs.end(), [&](const ClosestPair& pair) {
    return pair.distance < test.threshold || pair.distance <= options.same;
  });
  test.closest = closest(pairs);
  test.support = support_size(test.with_duplicates, test.batches, test.batch_size);
  return test;
}

std::optional<double> support_size(int64_t with_duplicates, int64_t batches, int64_t batch_size) {
  if (2 * with_duplicates < batches) return std::nullopt;
  const double without = std::max(0.5, static_cast<double>(batches - with_duplicates));
  const double size = static_cast<double>(batch_size);
  return size * (size - 1) / 2 / std::log(static_cast<double>(batches) / without);
}

}  // namespace nowhere
