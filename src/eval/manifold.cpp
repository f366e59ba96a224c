#include "eval/manifold.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace nowhere {
namespace {

torch::Tensor part(const torch::Tensor& values, Rows rows) {
  return values.narrow(0, rows.first, rows.count);
}

double share(const torch::Tensor& flags) {
  return flags.to(torch::kFloat64).mean().item<double>();
}

// Who lies in whose ball, gathered block by block. Radii are squared.
struct Overlap {
  torch::Tensor real_radii, generated_radii;  // [N], [M]: of precision and recall
  torch::Tensor density_radii;                // [N]
  torch::Tensor precise, recalled, covered;   // [M], [N], [N]: whether
  int64_t memberships = 0;                    // of generated points in real balls of density

  // distances: [generated,real], squared
  void add(const torch::Tensor& distances, Rows generated, Rows real) {
    const torch::Tensor in_real = distances <= part(real_radii, real);
    part(precise, generated).logical_or_(in_real.any(1));
    const torch::Tensor in_generated = distances <= part(generated_radii, generated).unsqueeze(1);
    part(recalled, real).logical_or_(in_generated.any(0));
    const torch::Tensor counted = distances <= part(density_radii, real);
    part(covered, real).logical_or_(counted.any(0));
    memberships += counted.sum().item<int64_t>();
  }
};

}  // namespace

torch::Tensor nearest_squared_distances(const torch::Tensor& points, int64_t count,
                                        const torch::Tensor& centre, int64_t scratch_bytes) {
  // Two blocks of points; the distances, and what choosing the smallest needs.
  const auto blocks = split_rows(points.size(0), rows_within(scratch_bytes, points.size(1), 2, 2));
  torch::Tensor all =
      torch::full({points.size(0), count}, std::numeric_limits<double>::infinity(), torch::kFloat64);
  for (Rows of_points : blocks) {
    const Block from = centred_block(points, of_points, centre);
    const torch::Tensor smallest = part(all, of_points);
    for (Rows of_others : blocks) {
      torch::Tensor distances = squared_distances(from, centred_block(points, of_others, centre));
      if (of_others.first == of_points.first)
        distances.fill_diagonal_(std::numeric_limits<double>::infinity());
      const int64_t few = std::min(count, of_others.count);
      const torch::Tensor here = std::get<0>(distances.topk(few, 1, /*largest=*/false));
      smallest.copy_(
          std::get<0>(torch::cat({smallest, here}, 1).topk(count, 1, /*largest=*/false, /*sorted=*/true)));
    }
  }
  return all;
}

ManifoldOverlap manifold_scores(const torch::Tensor& real, const torch::Tensor& generated,
                                const ManifoldOptions& options) {
  const int64_t precision_k = options.precision_neighbours, density_k = options.density_neighbours;
  if (std::min(precision_k, density_k) < 1)
    throw usage_error("a ball reaches to a neighbour: give at least 1 neighbour");
  const int64_t most = std::max(precision_k, density_k);
  check_points(real, "the real features", most + 1);
  check_points(generated, "the generated features", most + 1, real.size(1));
  const torch::Tensor centre = mean_row(real);
  const torch::Tensor of_real = nearest_squared_distances(real, most, centre, options.scratch_bytes);
  const torch::Tensor of_generated =
      nearest_squared_distances(generated, precision_k, centre, options.scratch_bytes);
  Overlap overlap{of_real.select(1, precision_k - 1),       of_generated.select(1, precision_k - 1),
                  of_real.select(1, density_k - 1),         torch::zeros(generated.size(0), torch::kBool),
                  torch::zeros(real.size(0), torch::kBool), torch::zeros(real.size(0), torch::kBool)};
  const int64_t rows = rows_within(options.scratch_bytes, real.size(1), 2, 2);
  for (Rows these : split_rows(generated.size(0), rows)) {
    const Block block = centred_block(generated, these, centre);
    for (Rows those : split_rows(real.size(0), rows))
      overlap.add(squared_distances(block, centred_block(real, those, centre)), these, those);
  }
  const double density =
      static_cast<double>(overlap.memberships) / static_cast<double>(density_k * generated.size(0));
  return {share(overlap.precise), share(overlap.recalled), density, share(overlap.covered)};
}

}  // namespace nowhere
