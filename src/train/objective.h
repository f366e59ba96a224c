// What the two networks are told to want, as functions of D's logits alone. A recipe is an objective, a regulariser and
// settings; the step is the same for all.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>

#include "train/choices.h"

namespace nowhere {

class Objective {
 public:
  virtual ~Objective() = default;

  // on_real, on_fake: logits [N] -> scalar
  virtual torch::Tensor discriminator_loss(const torch::Tensor& on_real,
                                           const torch::Tensor& on_fake) const = 0;
  virtual torch::Tensor generator_loss(const torch::Tensor& on_real, const torch::Tensor& on_fake) const = 0;
};

// classic: binary cross entropy, real is 1 - label_smoothing, fake is 0; G wants its fakes to be 1.
// streets: relativistic pairing, softplus(-(D(x) - D(G(z)))) for D and the reverse for G.
std::unique_ptr<Objective> make_objective(Recipe recipe, double label_smoothing);

// R1: gamma/2 * |grad D(x)|^2, summed over a picture and averaged over the batch. `pictures` [N,nc,S,S] are what D saw.
torch::Tensor gradient_penalty(const std::function<torch::Tensor(const torch::Tensor&)>& discriminator,
                               const torch::Tensor& pictures, double gamma);

}  // namespace nowhere
