#include "eval/evaluation.h"

namespace nowhere {

void EvaluationConfig::declare(Options& options) {
  options.integer("samples", samples, 100, 10'000'000,
                  "pictures that the generator makes, of seeds 0, 1, 2, ...");
  options.integer("held-out", held_out, 0, 1'000'000,
                  "photographs of validation, and of test; 0: what there is, up to 1,000");
  options.text("features", features, "auto|none|FILE",
               "the network to judge through: EfficientNet-Lite (.pth), or TorchScript as for FID");
  options.choice(
      "feature-input", feature_input,
      {{"unit", FeatureInput::kUnit}, {"signed", FeatureInput::kSigned}, {"bytes", FeatureInput::kBytes}},
      "what that network takes: [0,1], [-1,1] or 0 to 255");
  options.integer("memory", memory_mb, 64, 1'000'000, "megabytes for what is held of the pictures");
  options.integer("threads", threads, 0, 1024, "0: as many as there are cores");
  options.detail();
  options.number("sigma-low", sigma_low, 1e-6, 1e6, "the Parzen window's sigmas: from here");
  options.number("sigma-high", sigma_high, 1e-6, 1e6, "to here");
  options.integer("sigma-count", sigma_count, 1, 1000, "by equal factors");
  augment.declare(options, "; without: as trained");
  options.seed("seed", seed, "of crops, and of what scores draw");
}

}  // namespace nowhere
