// Scores with every part, for tests.
#pragma once

#include "report/scores.h"

namespace nowhere {

inline Scores full_scores() {
  Scores scores;
  scores.model.name = "msls";
  scores.model.file_name = "epoch_12.pt";
  scores.model.epoch = 12;
  scores.model.images_seen = 1204224;
  scores.model.parameters = 1043203;
  scores.model.picture_size = 64;
  scores.date = "2025-03-05";
  scores.data = {.name = "msls.nwp",
                 .train = 1600,
                 .validation = 200,
                 .test = 200,
                 .split_note = "parted by sequence",
                 .held_out = HeldOut::kSequences,
                 .held_out_seen = {0, 400},
                 .train_seen = {1000, 1000}};
  scores.samples = 10000;
  scores.wasserstein = WassersteinScores{.levels = {{"64 px", 52.4, 16.1}, {"32 px", 77.2, 16.3}},
                                         .mean = 64.8,
                                         .mean_floor = 16.2,
                                         .pictures = 512,
                                         .floor_by_sequence = true};
  scores.features = FeatureScores{.network = "model.ts",
                                  .frechet = 61.8,
                                  .frechet_floor = 12.4,
                                  .kernel_mean = 0.0412,
                                  .kernel_deviation = 0.0031,
                                  .manifold = ManifoldScores{0.61, 0.28, 0.74, 0.55}};
  scores.memorisation = {{.space = "pixels at 16 px",
                          .nearer_than_any = 0.0004,
                          .nearer_than_1st_percentile = 0.021,
                          .sample_median = 2.31,
                          .held_out_median = 2.44,
                          .worst_pairs_file = "pairs.png",
                          .worst_pairs_png = {'f', 'o', 'o'}}};
  scores.collapse = CollapseScores{
      .diversity_ratio = 0.91,
      .birthday = CollapseScores::Birthday{
          .batch_size = 400, .batches = 50, .batches_with_duplicate = 26, .support = 108000.0}};
  scores.parzen = ParzenScores{.dimensions = 12288,
                               .sigma = 0.1668,
                               .grid = {0.1, 0.1668, 1},
                               .test = {3123.4, 21.7},
                               .baseline = ParzenScores::Baseline{{3490.2, 19.8}, 0.1668, false, 1600},
                               .epochs = ParzenEpochs{0.1668, {{1, {1072, 49}}, {2, {1271, 47}}}}};
  return scores;
}

}  // namespace nowhere
