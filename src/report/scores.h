// What `nowhere evaluate` measured of a generator: plain numbers, every part optional. A number that is not
// finite could not be measured: null in JSON, a dash in text.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "run/model_facts.h"

namespace nowhere {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

struct JudgedData {
  std::string name;
  int64_t train = 0, validation = 0, test = 0;  // photographs used of each part
  std::string split_note;                       // how they were split: "held out by sequence"
  bool held_out = true;                         // the networks never saw the validation and test photographs
};

// A mean over pictures and its standard error.
struct MeanScore {
  double mean = kNotMeasured, error = kNotMeasured;
};

struct ParzenEpoch {
  int64_t epoch = 0;
  MeanScore test;
};

// Every saved epoch with the same sigma: with one sigma each, they could not be compared.
struct ParzenEpochs {
  double sigma = kNotMeasured;
  std::vector<ParzenEpoch> points;  // by rising epoch
};

// Log-likelihoods in nats, of pixels in [0,1].
struct ParzenScores {
  double sigma = kNotMeasured;  // the best on the validation photographs
  std::vector<double> grid;     // the sigmas that were tried
  bool sigma_on_edge = false;   // the best is the first or the last of them
  MeanScore test;
  struct Baseline {  // real training photographs in place of the samples
    MeanScore test;
    double sigma = kNotMeasured;
  };
  std::optional<Baseline> baseline;
  std::optional<ParzenEpochs> epochs;
};

// Sliced Wasserstein distances, times 1000; 0 is equal.
struct WassersteinScores {
  struct Level {
    std::string name;  // "64 px", ... "8 px": fine to coarse
    double value = kNotMeasured;
    double floor = kNotMeasured;  // real photographs against other real photographs
  };
  std::vector<Level> levels;
  double mean = kNotMeasured, mean_floor = kNotMeasured;
};

// Shares in [0,1]; density may exceed 1.
struct ManifoldScores {
  double precision = kNotMeasured, recall = kNotMeasured;
  double density = kNotMeasured, coverage = kNotMeasured;
};

// Scores on what a feature network sees in the pictures.
struct FeatureScores {
  std::string network;     // its file name
  bool inception = false;  // only then do the scores bear the names FID and KID
  double frechet = kNotMeasured, frechet_floor = kNotMeasured;
  double kernel_mean = kNotMeasured, kernel_deviation = kNotMeasured;
  std::optional<ManifoldScores> manifold;
  std::optional<ManifoldScores> real_manifold;  // real photographs in place of the samples
};

// How near the samples come to the training photographs in one space, compared with held-out photographs.
struct MemorisationScores {
  std::string space;  // "pixels at 16 px", "features"
  // Shares of samples that are nearer to a training photograph than any held-out photograph is, and than all
  // but 1 % of them are; of new photographs, 1 % would be.
  double nearer_than_any = kNotMeasured, nearer_than_1st_percentile = kNotMeasured;
  double sample_median = kNotMeasured, held_out_median = kNotMeasured;  // distance to the nearest one
  std::string worst_pairs_file;          // the nearest samples beside their photographs; empty: none
  std::vector<uint8_t> worst_pairs_png;  // the bytes of that file; empty: none
};

// Whether the generator repeats itself.
struct CollapseScores {
  double diversity_ratio =
      kNotMeasured;  // mean distance between two samples over that between two photographs
  struct Birthday {  // batches of samples with two that are alike
    int64_t batch_size = 0;
    int64_t batches = 0;
    int64_t batches_with_duplicate = 0;
    // How many different pictures it seems to make, where most batches hold duplicates. Two samples are alike
    // when they are closer than any two photographs in as many batches of photographs.
    std::optional<double> support;
  };
  std::optional<Birthday> birthday;
};

struct Scores {
  ModelFacts model;
  std::string date;  // when it was judged: "2025-03-05"
  JudgedData data;
  int64_t samples = 0;  // pictures generated
  std::optional<ParzenScores> parzen;
  std::optional<WassersteinScores> wasserstein;
  std::optional<FeatureScores> features;
  std::vector<MemorisationScores> memorisation;  // a space each
  std::optional<CollapseScores> collapse;
};

}  // namespace nowhere
