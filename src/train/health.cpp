#include "train/health.h"

#include <fmt/core.h>

#include <vector>

#include "core/text.h"

namespace nowhere {
namespace {

// A new generator paints one grey, and a new discriminator sees through it. Adam moves a weight by about lr a
// step, 2e-4, and weights begin at 0.02: after 500 steps they have had the time to change five times over.
constexpr uint64_t kFirstSteps = 500;
// A sign has to last for this long.
constexpr int kLogPoints = 5;
constexpr uint64_t kSteps = 200;
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

// "a, b or c"
std::string any_of_these(std::vector<std::string> options) {
  const std::string last = options.back();
  options.pop_back();
  return options.empty() ? last : join(options, ", ") + " or " + last;
}

}  // namespace

torch::Tensor diversity_ratio(const torch::Tensor& fake, const torch::Tensor& real) {
  if (fake.size(0) < 2) return torch::ones({}, fake.options());
  const torch::NoGradGuard no_gradients;
  return mean_distance(fake) / mean_distance(real).clamp_min(1e-6);
}

bool Health::Sign::due(bool there, uint64_t step) {
  if (!there) {
    *this = {};
    return false;
  }
  if (points++ == 0) since = step;
  if (points < kLogPoints || step - since < kSteps || told) return false;
  return told = true;
}

std::string Health::against_collapse() const {
  std::vector<std::string> options = {"going back to an earlier checkpoint with a lower --lr"};
  if (config_.loss != "relativistic") options.emplace_back("--loss relativistic");
  if (config_.model.d_group == 0) options.emplace_back("--d-group 4");
  if (config_.r1_gamma == 0) options.emplace_back("--r1-gamma 1");
  if (!config_.diff_colour || !config_.diff_translation)
    options.emplace_back("--diff-colour yes --diff-translation yes");
  return any_of_these(options);
}

std::string Health::against_confidence() const {
  std::vector<std::string> options = {"a lower --lr"};
  if (config_.instance_noise == 0) options.emplace_back("--instance-noise 0.05");
  if (config_.label_smoothing == 0 && config_.loss == "bce") options.emplace_back("--label-smoothing 0.1");
  if (config_.r1_gamma == 0) options.emplace_back("--r1-gamma 1");
  return any_of_these(options);
}

std::optional<std::string> Health::watch(const Vital& vital) {
  if (vital.step < kFirstSteps) return std::nullopt;
  const bool collapsed = collapse_.due(vital.diversity < kCollapsed, vital.step);
  const bool sure =
      confidence_.due((vital.d_x > kSure && vital.d_g_z < 1 - kSure) || vital.d_loss < kNoLoss, vital.step);
  if (collapsed)
    return fmt::format(
        "the generator may have collapsed: its pictures differ only {:.0f}% as much as the photographs do; "
        "try {}",
        100 * vital.diversity, against_collapse());
  if (sure)
    return fmt::format(
        "the discriminator tells all fakes (D(x) {:.3f}, D(G(z)) {:.3f}): "
        "the generator learns nothing from it; try {}",
        vital.d_x, vital.d_g_z, against_confidence());
  return std::nullopt;
}

}  // namespace nowhere
