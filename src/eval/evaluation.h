// Judging a generator by photographs: all the scores, in one pass over each set of pictures. Free of
// LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/options.h"
#include "data/augment.h"
#include "data/source.h"
#include "eval/feature_choices.h"
#include "eval/training_data.h"
#include "report/page.h"
#include "report/scores.h"
#include "run/run_reader.h"

namespace nowhere {

struct EvaluationConfig {
  std::vector<CheckpointFile> epochs;  // whose likelihood is compared; empty: of the newest alone
  std::filesystem::path report;        // where the result goes; features are kept below it
  int64_t samples = 10'000;
  int64_t held_out = 0;  // photographs of validation, and of test; 0: as many as there are, up to 1,000
  double sigma_low = 0.1, sigma_high = 1;
  int sigma_count = 10;
  std::string features = "auto";  // "none", or a file: published weights or TorchScript
  FeatureInput feature_input = FeatureInput::kUnit;
  AugmentConfig augment;     // as in training
  int64_t memory_mb = 1024;  // for what is held of the pictures and of their distances
  uint64_t seed = 0;
  int threads = 0;  // 0: as many as there are cores

  void declare(Options& options);
};

struct Evaluation {
  Scores scores;
  std::vector<Figure> figures;
};

// Throws data errors for checkpoints, photographs and feature networks that do not serve; Stopped after a
// signal. Says on stderr how far it is.
Evaluation evaluate(const EvaluationConfig& config, const RunReader& run, const CheckpointFile& checkpoint,
                    const Source& source, const std::vector<uint32_t>& photos, const TrainingData& training);

}  // namespace nowhere
