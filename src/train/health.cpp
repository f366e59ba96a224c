#include "train/health.h"

#include <fmt/core.h>

namespace nowhere {
namespace {

constexpr int kLogPoints = 5;  // a sign has to last this long
constexpr double kCollapsed = 0.3;
constexpr double kSure = 0.99;
constexpr double kNoLoss = 0.01;

// [N,3,S,S] -> mean distance of two different pictures of the batch at 16 x 16
torch::Tensor mean_distance(const torch::Tensor& pictures) {
  constexpr int64_t kSide = 16;
  const auto count = static_cast<double>(pictures.size(0));
  const torch::Tensor small =
      torch::adaptive_avg_pool2d(pictures.detach().to(torch::kFloat), {kSide, kSide}).flatten(1);
  return torch::cdist(small, small).sum() / (count * (count - 1));
}

}  // namespace

torch::Tensor diversity_ratio(const torch::Tensor& fake, const torch::Tensor& real) {
  if (fake.size(0) < 2) return torch::ones({}, fake.options());
  const torch::NoGradGuard no_gradients;
  return mean_distance(fake) / mean_distance(real).clamp_min(1e-6);
}

bool Health::Sign::due(bool there) {
  lasted = there ? lasted + 1 : 0;
  if (!there) told = false;
  if (lasted < kLogPoints || told) return false;
  return told = true;
}

std::optional<std::string> Health::watch(const Vital& vital) {
  const bool collapsed = collapse_.due(vital.diversity < kCollapsed);
  const bool sure = confidence_.due((vital.d_x > kSure && vital.d_g_z < 1 - kSure) || vital.d_loss < kNoLoss);
  if (collapsed)
    return fmt::format(
        "the generator may have collapsed: its pictures differ only {:.0f}% as much as the photographs do; "
        "go back to an earlier checkpoint with a lower lr, or try --loss relativistic",
        100 * vital.diversity);
  if (sure)
    return fmt::format(
        "the discriminator tells all fakes (D(x) {:.3f}, D(G(z)) {:.3f}): "
        "the generator learns nothing from it; try --instance-noise 0.05, "
        "--label-smoothing 0.1 or a lower lr",
        vital.d_x, vital.d_g_z);
  return std::nullopt;
}

}  // namespace nowhere
