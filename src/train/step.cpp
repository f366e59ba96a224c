#include "train/step.h"

#include "core/random.h"
#include "tensor/draws.h"
#include "train/diff_augment.h"

namespace nowhere {
namespace {

torch::Tensor mean_confidence(const torch::Tensor& logits) {
  return logits.detach().sigmoid().mean();
}

// While it lives, gradients flow through the network but not into its weights: computing those of D in G's
// step would be work thrown away.
class Frozen {
 public:
  explicit Frozen(torch::nn::Module& network) : parameters_(network.parameters()) { set(false); }
  ~Frozen() { set(true); }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

 private:
  void set(bool wanted) {
    for (torch::Tensor& parameter : parameters_) parameter.requires_grad_(wanted);
  }
  std::vector<torch::Tensor> parameters_;
};

torch::Tensor norm_of(const std::vector<torch::Tensor>& gradients) {
  return torch::stack(at::_foreach_norm(gradients, 2)).norm();
}

}  // namespace

GanStep::GanStep(const TrainConfig& config, Players& players, const torch::Device& device,
                 Precision precision)
    : config_(config),
      players_(players),
      device_(device),
      precision_(precision),
      loss_(find_loss(config.loss)) {}

StepResult GanStep::operator()(const torch::Tensor& real, const GeneratorInput& input, uint64_t number,
                               bool measured) {
  Generator& G = players_.generator.network;
  Discriminator& D = players_.discriminator.network;
  StepResult result;

  torch::Tensor fake, x, on_real, on_fake, d_loss, g_loss;
  players_.discriminator.adam.zero_grad();
  {
    const Autocast autocast(device_, precision_);
    fake = G(input).to(real.dtype());  // its graph is used again by G's update
    x = discriminator_view(real, number, 0);
    std::tie(on_real, on_fake) = judge(x, discriminator_view(fake.detach(), number, 1));
    d_loss =
        loss_.discriminator({on_real.to(torch::kFloat), on_fake.to(torch::kFloat), config_.label_smoothing});
  }
  // The penalty comes every few steps and counts as many times; its second derivatives want full precision.
  if (config_.r1_gamma > 0 && number % static_cast<uint64_t>(config_.r1_every) == 0)
    d_loss = d_loss +
             config_.r1_every * gradient_penalty([&](const auto& p) { return D(p); }, x, config_.r1_gamma);
  result.d_gradient = update(players_.discriminator, d_loss, measured);

  players_.generator.adam.zero_grad();
  const Frozen frozen(*D);
  torch::Tensor on_same_fake;
  {
    const Autocast autocast(device_, precision_);
    on_same_fake = D(discriminator_view(fake, number, 2));
    g_loss = loss_.generator({on_real.detach().to(torch::kFloat), on_same_fake.to(torch::kFloat)});
  }
  result.g_gradient = update(players_.generator, g_loss, measured);

  result.d_loss = d_loss.detach();
  result.g_loss = g_loss.detach();
  result.d_x = mean_confidence(on_real);
  result.d_g_z1 = mean_confidence(on_fake);
  result.d_g_z2 = mean_confidence(on_same_fake);
  result.fake = fake.detach();
  return result;
}

// D's logits on reals and on fakes, in two passes or in one.
std::pair<torch::Tensor, torch::Tensor> GanStep::judge(const torch::Tensor& real, const torch::Tensor& fake) {
  Discriminator& D = players_.discriminator.network;
  if (!config_.d_joint) return {D(real), D(fake)};
  const std::vector<torch::Tensor> halves = D(torch::cat({real, fake})).chunk(2);
  return {halves[0], halves[1]};
}

// What D gets to see of pictures: noise and augmentation keyed on the step and the occasion in it.
torch::Tensor GanStep::discriminator_view(const torch::Tensor& pictures, uint64_t number,
                                          uint64_t occasion) const {
  torch::Tensor result = pictures;
  if (const DiffAugmentConfig augment{config_.diff_colour, config_.diff_translation}; augment.any())
    result = diff_augment(result, augment,
                          keyed_generator(device_, config_.seed, Purpose::kDiffAugment, {number, occasion}));
  if (config_.instance_noise > 0) {
    auto generator = keyed_generator(device_, config_.seed, Purpose::kInstanceNoise, {number, occasion});
    result = result + torch::empty_like(result).normal_(0, config_.instance_noise, generator);
  }
  return result;
}

template <class Network>
torch::Tensor GanStep::update(Player<Network>& player, const torch::Tensor& loss, bool measured) {
  player.scaler.scale(loss).backward();
  const std::vector<torch::Tensor> gradients = player.adam.gradients();
  const torch::Tensor found_infinite = player.scaler.unscale(gradients);
  torch::Tensor norm;
  if (measured || config_.clip_gradients > 0) norm = norm_of(gradients);
  if (config_.clip_gradients > 0) {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor factor = (config_.clip_gradients / (norm + 1e-6)).clamp_max(1);
    at::_foreach_mul_(gradients, factor);
  }
  player.adam.step(found_infinite);
  player.scaler.update(found_infinite);
  return norm;
}

}  // namespace nowhere
