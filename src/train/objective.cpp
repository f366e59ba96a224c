#include "train/objective.h"

namespace nowhere {
namespace {

// Binary cross entropy with logits against one label for the whole batch.
torch::Tensor cross_entropy(const torch::Tensor& logits, double label) {
  return torch::binary_cross_entropy_with_logits(logits, torch::full_like(logits, label));
}

class CrossEntropy : public Objective {
 public:
  explicit CrossEntropy(double label_smoothing) : real_label_(1 - label_smoothing) {}

  torch::Tensor discriminator_loss(const torch::Tensor& on_real,
                                   const torch::Tensor& on_fake) const override {
    return cross_entropy(on_real, real_label_) + cross_entropy(on_fake, 0);
  }
  torch::Tensor generator_loss(const torch::Tensor&, const torch::Tensor& on_fake) const override {
    return cross_entropy(on_fake, 1);
  }

 private:
  double real_label_;
};

// Each fake is compared with the real picture at its place in the batch.
class RelativisticPairing : public Objective {
 public:
  torch::Tensor discriminator_loss(const torch::Tensor& on_real,
                                   const torch::Tensor& on_fake) const override {
    return torch::softplus(on_fake - on_real).mean();
  }
  torch::Tensor generator_loss(const torch::Tensor& on_real, const torch::Tensor& on_fake) const override {
    return torch::softplus(on_real - on_fake).mean();
  }
};

}  // namespace

std::unique_ptr<Objective> make_objective(Recipe recipe, double label_smoothing) {
  if (recipe == Recipe::kStreets) return std::make_unique<RelativisticPairing>();
  return std::make_unique<CrossEntropy>(label_smoothing);
}

torch::Tensor gradient_penalty(const std::function<torch::Tensor(const torch::Tensor&)>& discriminator,
                               const torch::Tensor& pictures, double gamma) {
  const torch::Tensor input = pictures.detach().requires_grad_();
  const torch::Tensor gradient = torch::autograd::grad({discriminator(input).sum()}, {input}, {},
                                                       /*retain_graph=*/true, /*create_graph=*/true)[0];
  return gradient.square().sum({1, 2, 3}).mean() * (gamma / 2);
}

}  // namespace nowhere
