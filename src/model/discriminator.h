// The discriminator for LibTorch: its parts in one module.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "model/architectures/discriminator_parts.h"
#include "model/feature_maps.h"
#include "model/networks.h"

namespace nowhere {

// What a discriminator sees of pictures: themselves, and the maps of the frozen network.
struct Seen {
  torch::Tensor pictures;           // [N,nc,S,S] in [-1,1]
  std::vector<torch::Tensor> maps;  // [N,C,H,W] each; none without such a network

  Seen detach() const;
};

Seen join(const Seen& a, const Seen& b);  // one batch of both

class DiscriminatorImpl : public NetworkImpl {
 public:
  // `frozen` may be null: then there are no heads. Its weights are not the discriminator's, and never change.
  explicit DiscriminatorImpl(const ModelConfig& config, std::shared_ptr<FeatureMaps> frozen = nullptr,
                             Kernels kernels = Kernels::kAuto);

  // Where the pictures want no gradient, none is prepared in the frozen network.
  Seen look(const torch::Tensor& pictures);
  // Logits [N,P], a column for each part: above 0 means real.
  torch::Tensor logits(const Seen& seen);
  torch::Tensor forward(const torch::Tensor& pictures) { return logits(look(pictures)); }
  // The same, of the parts that see pixels alone, of which there is at least one. Second derivatives through
  // the frozen network would cost more than all the rest.
  torch::Tensor forward_pixels(const torch::Tensor& pictures);
  bool sees_pixels() const;

  struct PartFacts {
    std::optional<size_t> map;  // which of the frozen network's maps it sees; none: pixels
    double weight = 1;          // of its loss
  };
  const std::vector<PartFacts>& parts() const { return parts_; }  // in the order of the columns

  // Measures on photographs how much each of the maps deviates, unless that is known from a checkpoint.
  // Whether it did.
  bool measure_scales(const torch::Tensor& real);

 private:
  DiscriminatorImpl(std::vector<DiscriminatorPart> parts, std::shared_ptr<FeatureMaps> frozen,
                    Kernels kernels);

  std::shared_ptr<FeatureMaps> frozen_;
  std::vector<PartFacts> parts_;
  bool scales_known_ = false;
};
TORCH_MODULE(Discriminator);

}  // namespace nowhere
