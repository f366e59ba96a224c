#include "train/step.h"

#include "core/random.h"
#include "tensor/draws.h"
#include "train/diff_augment.h"
#include "train/ranks.h"

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
                 Precision precision, Group* group)
    : config_(config),
      players_(players),
      device_(device),
      precision_(precision),
      group_(group),
      seed_(rank_seed(config.seed, group != nullptr ? group->rank() : 0)),
      loss_(find_loss(config.loss)),
      head_loss_(find_loss(config.head_loss)) {}

StepResult GanStep::operator()(const torch::Tensor& real, const GeneratorInput& input, uint64_t number,
                               bool measured) {
  Generator& G = players_.generator.network;
  Discriminator& D = players_.discriminator.network;
  if (D->measure_scales(real) && group_ != nullptr) group_->broadcast(D->buffers(), "the scales of maps");
  StepResult result;

  // The frozen network is most of a step, so it looks at the fakes once, for D's update and for G's.
  const bool once = players_.frozen != nullptr;
  Seen seen;
  torch::Tensor fake, x, on_real, on_fake, d_loss, g_loss;
  players_.discriminator.adam.zero_grad();
  {
    const Autocast autocast(device_, precision_);
    fake = G(input).to(real.dtype());  // its graph is used again by G's update
    x = discriminator_view(real, number, 0);
    seen = D->look(discriminator_view(once ? fake : fake.detach(), number, 1));
    std::tie(on_real, on_fake) = judge(D->look(x), seen.detach());
    d_loss = total(&Loss::discriminator, on_real, on_fake);
  }
  // The penalty comes every few steps and counts as many times; its second derivatives want full precision.
  if (config_.r1_gamma > 0 && number % static_cast<uint64_t>(config_.r1_every) == 0)
    d_loss = d_loss + config_.r1_every * penalty(x);
  result.d_gradient = update(players_.discriminator, d_loss, measured);

  players_.generator.adam.zero_grad();
  const Frozen frozen(*D);
  torch::Tensor on_same_fake;
  {
    const Autocast autocast(device_, precision_);
    on_same_fake = once ? D->logits(seen) : D(discriminator_view(fake, number, 2));
    g_loss = total(&Loss::generator, on_real.detach(), on_same_fake);
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

// The losses of D's parts, each on its own column of the logits [N,P].
torch::Tensor GanStep::total(LossFunction Loss::*role, const torch::Tensor& on_real,
                             const torch::Tensor& on_fake) const {
  torch::Tensor sum;
  int64_t column = 0;
  for (const DiscriminatorImpl::PartFacts& part : players_.discriminator.network->parts()) {
    const torch::Tensor real = on_real.select(1, column).to(torch::kFloat),
                        fake = on_fake.select(1, column).to(torch::kFloat);
    const LossFunction loss = (part.map ? head_loss_ : loss_).*role;
    const torch::Tensor own = loss({real, fake, config_.label_smoothing}) * part.weight;
    ++column;
    sum = sum.defined() ? sum + own : own;
  }
  return sum;
}

// R1 on the parts that see pixels; the heads are held back by their spectral norm.
torch::Tensor GanStep::penalty(const torch::Tensor& real) {
  Discriminator& D = players_.discriminator.network;
  if (!D->sees_pixels()) return torch::zeros({}, real.options());
  return gradient_penalty([&](const auto& p) { return D->forward_pixels(p); }, real, config_.r1_gamma);
}

// D's logits on reals and on fakes, in two passes or in one.
std::pair<torch::Tensor, torch::Tensor> GanStep::judge(const Seen& real, const Seen& fake) {
  Discriminator& D = players_.discriminator.network;
  if (!config_.d_joint) return {D->logits(real), D->logits(fake)};
  const std::vector<torch::Tensor> halves = D->logits(join(real, fake)).chunk(2);
  return {halves[0], halves[1]};
}

// What D gets to see of pictures: noise and augmentation keyed on the step and the occasion in it.
torch::Tensor GanStep::discriminator_view(const torch::Tensor& pictures, uint64_t number,
                                          uint64_t occasion) const {
  torch::Tensor noise;
  if (config_.instance_noise > 0) {
    auto generator = keyed_generator(device_, seed_, Purpose::kInstanceNoise, {number, occasion});
    noise = torch::empty_like(pictures, pictures.suggest_memory_format())
                .normal_(0, config_.instance_noise, generator);
  }
  const DiffAugmentConfig augment{config_.diff_colour ? config_.diff_strength : 0, config_.diff_translation,
                                  config_.kernels};
  if (!augment.any()) return noise.defined() ? pictures + noise : pictures;
  const uint64_t augmented = config_.diff_synced ? 0 : occasion;
  return diff_augment(pictures, augment,
                      keyed_generator(device_, seed_, Purpose::kDiffAugment, {number, augmented}), noise);
}

template <class Network>
torch::Tensor GanStep::update(Player<Network>& player, const torch::Tensor& loss, bool measured) {
  player.backward(player.scaler.scale(loss));
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
  mark_step(device_);
  return norm;
}

}  // namespace nowhere
