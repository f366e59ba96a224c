#include "eval/evaluation_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "eval/birthday.h"
#include "eval/diversity.h"
#include "eval/kernel_distance.h"
#include "eval/manifold.h"
#include "metric/sliced_wasserstein.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

MeanScore mean_score(const torch::Tensor& row) {
  const MeanAndError score = mean_and_standard_error(row);
  return {score.mean, score.standard_error};
}

// [sigmas,N] -> the sigma that is best on the first `validation` columns
BestSigma choose_sigma(const torch::Tensor& likelihoods, int64_t validation) {
  std::vector<double> means;
  for (int64_t i = 0; i < likelihoods.size(0); ++i)
    means.push_back(likelihoods[i].narrow(0, 0, validation).mean().item<double>());
  return best_sigma(means);
}

torch::Tensor test_part(const torch::Tensor& likelihoods, size_t sigma, int64_t validation) {
  const torch::Tensor row = likelihoods[static_cast<int64_t>(sigma)];
  return row.narrow(0, validation, row.size(0) - validation);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return values.empty() ? kNotMeasured : sum / static_cast<double>(values.size());
}

ManifoldScores to_scores(const ManifoldOverlap& overlap) {
  return {overlap.precision, overlap.recall, overlap.density, overlap.coverage};
}

}  // namespace

ParzenScores parzen_scores(const ParzenWindow& samples, const ParzenWindow& photographs,
                           const std::vector<double>& grid, int64_t validation) {
  ParzenScores scores;
  const torch::Tensor likelihoods = samples.result(), baseline = photographs.result();
  const BestSigma best = choose_sigma(likelihoods, validation), real = choose_sigma(baseline, validation);
  scores.dimensions = samples.dimensions();
  scores.grid = grid;
  scores.sigma = grid[best.index];
  scores.sigma_on_edge = best.on_edge;
  scores.test = mean_score(test_part(likelihoods, best.index, validation));
  scores.baseline = ParzenScores::Baseline{mean_score(test_part(baseline, real.index, validation)),
                                           grid[real.index], real.on_edge, photographs.centres()};
  return scores;
}

WassersteinScores wasserstein_scores(const torch::Tensor& real, const FloorHalves& halves,
                                     const torch::Tensor& generated) {
  WassersteinScores scores;
  // As many in each set: of fewer pictures, two sets of one kind are further apart.
  const int64_t count = std::min(static_cast<int64_t>(halves.first.size()), generated.size(0));
  const auto first_of = [&](const torch::Tensor& set) { return to_signed(set.narrow(0, 0, count)); };
  const auto half = [&](const std::vector<int64_t>& places) {
    return first_of(real.index_select(0, torch::tensor(places, torch::kLong)));
  };
  const std::vector<double> values = sliced_wasserstein(first_of(real), first_of(generated));
  const std::vector<double> floors = sliced_wasserstein(half(halves.first), half(halves.second));
  scores.pictures = count;
  scores.floor_by_sequence = halves.by_sequence;
  for (size_t level = 0; level < values.size(); ++level)
    scores.levels.push_back({fmt::format("{} px", real.size(1) >> level), values[level], floors[level]});
  scores.mean = mean_of(values);
  scores.mean_floor = mean_of(floors);
  return scores;
}

FeatureScores feature_scores(const FeatureNetwork& network, const SampleStore& real,
                             const SampleStore& generated, const SampleStore& held_out, uint64_t seed) {
  FeatureScores scores;
  scores.network = network.name();
  scores.inception = network.is_inception();
  const Gaussian photographs = real.moments().gaussian();
  scores.frechet = frechet_distance(photographs, generated.moments().gaussian());
  scores.frechet_floor = frechet_distance(photographs, held_out.moments().gaussian());
  const KernelDistance kernel = kernel_distance(real.features(), generated.features(), {.seed = seed});
  scores.kernel_mean = kernel.mean;
  scores.kernel_deviation = kernel.deviation;
  scores.manifold = to_scores(manifold_scores(real.features(), generated.features()));
  scores.real_manifold = to_scores(manifold_scores(real.features(), held_out.features()));
  return scores;
}

CollapseScores collapse_scores(const torch::Tensor& generated, const torch::Tensor& real, uint64_t seed) {
  static constexpr int64_t kMaxPictures = 2000;  // the mean over four million pairs is exact enough
  CollapseScores scores;
  const auto some = [](const torch::Tensor& rows) {
    return rows.narrow(0, 0, std::min(kMaxPictures, rows.size(0)));
  };
  scores.diversity_ratio = pairwise_diversity(some(generated), some(real)).ratio;
  BirthdayOptions options;
  options.seed = seed;
  options.same = kSameThumbnail * std::sqrt(static_cast<double>(real.size(1)));
  options.batch_size = std::min({options.batch_size, generated.size(0), real.size(0)});
  const BirthdayTest test = birthday_test(generated, real, options);
  scores.birthday =
      CollapseScores::Birthday{test.batch_size, test.batches, test.with_duplicates, test.support};
  return scores;
}

}  // namespace nowhere
