#include "train/losses.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

// Binary cross entropy with logits against one label for the whole batch.
torch::Tensor cross_entropy(const torch::Tensor& logits, double label) {
  return torch::binary_cross_entropy_with_logits(logits, torch::full_like(logits, label));
}

// Real is 1, fake is 0; G wants its fakes to be 1.
torch::Tensor bce_discriminator(const Logits& on) {
  return cross_entropy(on.real, 1 - on.label_smoothing) + cross_entropy(on.fake, 0);
}
torch::Tensor bce_generator(const Logits& on) {
  return cross_entropy(on.fake, 1);
}

// Each fake is compared with the real picture at its place in the batch.
torch::Tensor relativistic_discriminator(const Logits& on) {
  return torch::softplus(on.fake - on.real).mean();
}
torch::Tensor relativistic_generator(const Logits& on) {
  return torch::softplus(on.real - on.fake).mean();
}

// D stops caring about what it tells apart by more than a margin of 1.
torch::Tensor hinge_discriminator(const Logits& on) {
  return torch::relu(1 - on.real).mean() + torch::relu(1 + on.fake).mean();
}
torch::Tensor hinge_generator(const Logits& on) {
  return -on.fake.mean();
}

}  // namespace

const std::vector<Loss>& losses() {
  static const std::vector<Loss> table = {
      {"bce", "binary cross entropy, the reference's", bce_discriminator, bce_generator},
      {"relativistic", "relativistic pairing", relativistic_discriminator, relativistic_generator},
      {"hinge", "hinge", hinge_discriminator, hinge_generator}};
  return table;
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const Loss& row : losses()) names.push_back(row.name);
  return names;
}

const Loss& find_loss(const std::string& name) {
  const auto found = std::ranges::find(losses(), name, &Loss::name);
  if (found == losses().end())
    throw usage_error(
        fmt::format("there is no loss '{}'; give one of {}", printable_text(name), join(loss_names(), ", ")));
  return *found;
}

torch::Tensor gradient_penalty(const std::function<torch::Tensor(const torch::Tensor&)>& discriminator,
                               const torch::Tensor& pictures, double gamma) {
  const torch::Tensor input = pictures.detach().requires_grad_();
  torch::Tensor sum = torch::zeros({}, pictures.options());
  for (const torch::Tensor& logits : discriminator(input).view({input.size(0), -1}).unbind(1)) {
    const torch::Tensor gradient = torch::autograd::grad({logits.sum()}, {input}, {}, /*retain_graph=*/true,
                                                         /*create_graph=*/true)[0];
    sum = sum + gradient.square().sum({1, 2, 3}).mean();
  }
  return sum * (gamma / 2);
}

}  // namespace nowhere
