// By what figure a checkpoint is the best.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "data/source.h"
#include "model/networks.h"
#include "train/config.h"
#include "train/log_point.h"

namespace nowhere {

class Scorer {
 public:
  // What is passed outlives it.
  Scorer(const TrainConfig& config, const Source& source, const std::vector<uint32_t>& photos)
      : config_(config), source_(source), photos_(photos) {}

  // Higher is better; nothing when no best is kept, or when the score is a figure of the log points and the
  // epoch had none. `latest` is the newest log point of the run.
  std::optional<double> score(const Generator& shown, uint64_t epoch, const LogPoint& latest);

 private:
  double distance(const Generator& shown);

  const TrainConfig& config_;
  const Source& source_;
  const std::vector<uint32_t>& photos_;
  torch::Tensor reference_;  // [N,nc,S,S], photographs to compare with; made when first needed
};

}  // namespace nowhere
