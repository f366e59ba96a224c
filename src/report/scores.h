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

// What the validation and test photographs are to the run that is judged.
enum class HeldOut {
  kUnknown,    // it cannot be found out what the run was trained on
  kNothing,    // it was trained on them, or on some
  kFiles,      // not on them, but perhaps on other frames of their sequences
  kSequences,  // on no frame of their sequences
};

// How many of some photographs a run was trained on, by their content.
struct SeenPhotographs {
  int64_t seen = 0, compared = 0;
  bool operator==(const SeenPhotographs&) const = default;
};

struct JudgedData {
  std::string name;
  int64_t train = 0, validation = 0, test = 0;  // photographs used of each part
  std::string split_note;                       // how they were parted
  bool by_sequence = true;                      // no sequence has frames in two parts
  HeldOut held_out = HeldOut::kUnknown;
  std::string unknown;            // why it is unknown; no folder is named
  SeenPhotographs held_out_seen;  // of validation and test
  SeenPhotographs train_seen;     // of the training part, or of a draw from it
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
  int64_t dimensions = 0;       // numbers in a picture; 0 when not known
  double sigma = kNotMeasured;  // the best on the validation photographs
  std::vector<double> grid;     // the sigmas that were tried
  bool sigma_on_edge = false;   // the best is the first or the last of them
  MeanScore test;
  struct Baseline {  // real training photographs in place of the samples
    MeanScore test;
    double sigma = kNotMeasured;
    bool sigma_on_edge = false;
    int64_t photographs = 0;  // how many of them; 0 when not known
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
  int64_t pictures = 0;  // in each of the sets that are compared; 0 when not known
  bool floor_by_sequence =
      false;  // no sequence is in both sets of the floor; else files are apart, not drives
};

// Shares in [0,1]; density may exceed 1.
struct ManifoldScores {
  double precision = kNotMeasured, recall = kNotMeasured;
  double density = kNotMeasured, coverage = kNotMeasured;
};

// Scores on what a feature network sees in the pictures.
struct FeatureScores {
  std::string network;      // its file name
  bool inception = false;   // only then do the scores bear the names FID and KID
  bool trained_it = false;  // the generator learnt through this network
  double frechet = kNotMeasured, frechet_floor = kNotMeasured;
  double kernel_mean = kNotMeasured, kernel_deviation = kNotMeasured;
  std::optional<ManifoldScores> manifold;
  std::optional<ManifoldScores> real_manifold;  // real photographs in place of the samples
};

// How near the samples come to the training photographs in one space, compared with held-out photographs.
struct MemorisationScores {
  std::string space;  // "pixels at 16 px", "features"
  // Nearness is the distance to the nearest photograph over that to the nearest of another sequence; else the
  // distance itself.
  bool relative = false;
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
    // when they are closer than any two different photographs in as many batches of photographs, or cannot be
    // told apart by eye.
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
