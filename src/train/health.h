// Signs that a run is going wrong, before a person would see it in the pictures.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <string>

#include "train/config.h"

namespace nowhere {

// Mean distance between the pictures of a batch, at low resolution, of fakes over reals: [N,3,S,S] each.
// Around 1 when G's pictures differ as much as photographs do, near 0 when it makes one picture only. A
// tensor on the device.
torch::Tensor diversity_ratio(const torch::Tensor& fake, const torch::Tensor& real);

// One log point of what is watched.
struct Vital {
  uint64_t step = 0;  // of the run
  double diversity = 1;
  double d_x = 0.5, d_g_z = 0.5;  // D's mean confidence on real and fake
  double d_loss = 1;
};

// Warns once when a sign has lasted for several log points, and again only after it has gone away. Nothing is
// a sign in the first steps of a run. Recommends what the run does not do already.
class Health {
 public:
  // `config` outlives it.
  explicit Health(const TrainConfig& config) : config_(config) {}

  std::optional<std::string> watch(const Vital& vital);

 private:
  struct Sign {
    int points = 0;      // of the log, in a row
    uint64_t since = 0;  // step
    bool told = false;
    bool due(bool there, uint64_t step);
  };
  std::string against_collapse() const;
  std::string against_confidence() const;

  const TrainConfig& config_;
  Sign collapse_, confidence_;
};

}  // namespace nowhere
