#include "train/classic.h"

namespace nowhere {
namespace {

// Binary cross entropy with logits against one label for the whole batch.
torch::Tensor loss_against(const torch::Tensor& logits, double label) {
  return torch::binary_cross_entropy_with_logits(logits, torch::full_like(logits, label));
}

torch::Tensor mean_confidence(const torch::Tensor& logits) {
  return logits.detach().sigmoid().mean();
}

// While it lives, gradients flow through the network but not into its weights: computing those of D in G's step would
// be work thrown away.
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

}  // namespace

StepResult classic_step(Generator& generator, Discriminator& discriminator, Adam& generator_optimizer,
                        Adam& discriminator_optimizer, const torch::Tensor& real, const torch::Tensor& z) {
  const torch::Tensor fake = generator(z);  // [N,nc,S,S], its graph is used again by G's update

  discriminator_optimizer.zero_grad();
  const torch::Tensor on_real = discriminator(real);
  const torch::Tensor on_fake = discriminator(fake.detach());
  const torch::Tensor d_loss = loss_against(on_real, 1) + loss_against(on_fake, 0);
  d_loss.backward();
  discriminator_optimizer.step();

  generator_optimizer.zero_grad();
  const Frozen frozen(*discriminator);
  const torch::Tensor on_same_fake = discriminator(fake);
  const torch::Tensor g_loss = loss_against(on_same_fake, 1);
  g_loss.backward();
  generator_optimizer.step();

  return {d_loss.detach(), g_loss.detach(), mean_confidence(on_real), mean_confidence(on_fake),
          mean_confidence(on_same_fake)};
}

}  // namespace nowhere
