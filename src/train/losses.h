// What the two networks are told to want, as functions of D's logits alone. A new loss is one row of the
// table in losses.cpp: the choices of --loss are made from it.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

namespace nowhere {

// Logits [N] each, and what is told of the real label.
struct Logits {
  const torch::Tensor& real;
  const torch::Tensor& fake;
  double label_smoothing = 0;  // real pictures are labelled 1 minus this, where a loss has labels
};

using LossFunction = torch::Tensor (*)(const Logits& logits);  // a scalar

struct Loss {
  std::string name;  // of --loss
  std::string help;  // a few words
  LossFunction discriminator = nullptr;
  LossFunction generator = nullptr;
};

const std::vector<Loss>& losses();
std::vector<std::string> loss_names();
// Throws a usage error that lists the known ones.
const Loss& find_loss(const std::string& name);

// R1: gamma/2 * |grad D(x)|^2, summed over a picture and averaged over the batch. `pictures` [N,nc,S,S] are
// what D saw; with several logits [N,P], the sum over them.
torch::Tensor gradient_penalty(const std::function<torch::Tensor(const torch::Tensor&)>& discriminator,
                               const torch::Tensor& pictures, double gamma);

}  // namespace nowhere
