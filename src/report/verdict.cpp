#include "report/verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/number_text.h"

namespace nowhere {
namespace {

const Verdict kNothing = {Tone::kNote, "not measured"};

// "1.4 times", "12 times"
std::string times(double ratio) {
  return fmt::format("{:.{}f} times", ratio, ratio < 9.95 ? 1 : 0);
}

}  // namespace

std::string_view tone_word(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "good";
    case Tone::kFair:
      return "fair";
    case Tone::kPoor:
      return "poor";
    case Tone::kNote:
      break;
  }
  return "note";
}

Verdict judge_parzen(const ParzenScores& scores, int picture_size) {
  if (!std::isfinite(scores.test.mean)) return kNothing;
  if (!scores.baseline || !std::isfinite(scores.baseline->test.mean))
    return {Tone::kNote, "says little without real photographs scored the same way"};
  const MeanScore& real = scores.baseline->test;
  const double gap = real.mean - scores.test.mean;
  const double noise = 2 * std::hypot(real.error, scores.test.error);
  if (std::abs(gap) <= noise) return {Tone::kGood, "as high as real photographs score"};
  if (gap < 0)
    return {Tone::kNote, "higher than real photographs score: smooth pictures do that, it proves nothing"};
  const std::string words = fmt::format("{} below what real photographs score", number_text(gap));
  if (picture_size <= 0) return {Tone::kNote, words};
  // Nats for each of the 3*S*S pixel values: 0.1 is a squared error of about 0.008 at the usual sigma of 0.2.
  const double per_value = gap / (3.0 * picture_size * picture_size);
  return {per_value < 0.02 ? Tone::kGood : per_value < 0.1 ? Tone::kFair : Tone::kPoor, words};
}

Verdict judge_sigma(const ParzenScores& scores) {
  if (!std::isfinite(scores.sigma)) return kNothing;
  if (scores.sigma_on_edge)
    return {Tone::kPoor, "at the edge of the grid: a better one may lie beyond, so the score is too low"};
  if (scores.baseline && scores.baseline->sigma_on_edge)
    return {Tone::kFair, "inside the grid; that of real photographs is at its edge, so theirs is too low"};
  return {Tone::kGood, "inside the grid, as it should be"};
}

Verdict judge_wasserstein(double value, double floor, bool floor_by_sequence) {
  if (!std::isfinite(value)) return kNothing;
  if (!std::isfinite(floor) || floor <= 0) return {Tone::kNote, "says little without its floor"};
  const double ratio = value / floor;
  const FloorLimits limits = wasserstein_limits(floor_by_sequence);
  const std::string words = ratio < 1.5 ? std::string("as alike as two sets of real photographs")
                                        : times(ratio) + " what photographs score";
  return {ratio < limits.good ? Tone::kGood : ratio < limits.fair ? Tone::kFair : Tone::kPoor, words};
}

Verdict judge_frechet(const FeatureScores& scores) {
  if (!std::isfinite(scores.frechet)) return kNothing;
  if (!std::isfinite(scores.frechet_floor) || scores.frechet_floor <= 0)
    return {Tone::kNote, "says little without its floor"};
  const double above = scores.frechet - scores.frechet_floor;
  const double ratio = scores.frechet / scores.frechet_floor;
  const std::string words = ratio < 1.2 ? std::string("as alike as two sets of real photographs")
                                        : times(ratio) + " what photographs score";
  if (scores.inception)
    return {above < kGoodFid ? Tone::kGood : above < kFairFid ? Tone::kFair : Tone::kPoor, words};
  return {ratio < kGoodFrechet ? Tone::kGood : ratio < kFairFrechet ? Tone::kFair : Tone::kPoor, words};
}

Verdict judge_kernel(const FeatureScores& scores) {
  if (!std::isfinite(scores.kernel_mean)) return kNothing;
  if (std::isfinite(scores.kernel_deviation) && scores.kernel_mean <= 2 * scores.kernel_deviation)
    return {Tone::kGood, "no difference that this test can see"};
  if (!scores.inception)
    return {Tone::kNote, "a difference beyond chance; for comparing runs with each other"};
  return {scores.kernel_mean < 0.01   ? Tone::kGood
          : scores.kernel_mean < 0.08 ? Tone::kFair
                                      : Tone::kPoor,
          "a difference beyond chance"};
}

Verdict judge_share(Share share, double value, double real) {
  if (!std::isfinite(value)) return kNothing;
  // Without photographs to go by: with k = 3, coverage of real by real is 1 - 1/2^3, density 1; the others
  // vary.
  const double usual = std::isfinite(real) && real > 0 ? real
                       : share == Share::kDensity      ? 1.0
                       : share == Share::kCoverage     ? 0.875
                                                       : 0.7;
  constexpr double kSaysLittle = 0.1;
  if (std::isfinite(real) && real < kSaysLittle)
    return {Tone::kNote, "says little: held-out photographs score near 0 too"};
  const double part = value / usual;
  const Tone tone = part >= 0.8 ? Tone::kGood : part >= 0.4 ? Tone::kFair : Tone::kPoor;
  const bool likeness = share == Share::kPrecision || share == Share::kDensity;
  if (tone == Tone::kGood)
    return {tone, likeness ? "samples look real" : "nearly all kinds of photograph occur"};
  if (tone == Tone::kFair)
    return {tone, likeness ? "many samples look real" : "many kinds of photograph occur"};
  return {tone, likeness ? "few samples look real" : "most kinds of photograph are missing"};
}

Verdict judge_nearness(const MemorisationScores& scores) {
  const double share = scores.nearer_than_1st_percentile;
  if (!std::isfinite(share)) return kNothing;
  if (share <= 0.03) return {Tone::kGood, "no sign of copying"};
  if (share <= 0.15) return {Tone::kFair, "more than chance: look at the nearest pairs"};
  return {Tone::kPoor, "suspiciously near: it may be copying"};
}

Verdict judge_nearest_of_all(const MemorisationScores& scores) {
  if (!std::isfinite(scores.nearer_than_any)) return kNothing;
  if (scores.nearer_than_any > 0.05) return {Tone::kPoor, "nearer than chance allows: it may be copying"};
  return {Tone::kGood, "no sign of copying"};
}

Verdict judge_median(const MemorisationScores& scores) {
  if (!std::isfinite(scores.sample_median)) return kNothing;
  if (!std::isfinite(scores.held_out_median) || scores.held_out_median <= 0)
    return {Tone::kNote, "says little without held-out photographs"};
  const double ratio = scores.sample_median / scores.held_out_median;
  if (ratio >= 0.9) return {Tone::kGood, "no nearer to the training set than new photographs are"};
  if (ratio >= 0.6) return {Tone::kFair, "a little nearer to the training set than new photographs"};
  return {Tone::kPoor, "much nearer to the training set than new photographs"};
}

Verdict judge_diversity(double ratio) {
  if (!std::isfinite(ratio)) return kNothing;
  if (ratio > 1.2) return {Tone::kFair, "more varied than photographs: some samples may be noise"};
  if (ratio >= 0.8) return {Tone::kGood, "as varied as photographs"};
  if (ratio >= 0.5) return {Tone::kFair, "less varied than photographs"};
  return {Tone::kPoor, "nearly all the same picture"};
}

Verdict judge_birthday(const CollapseScores::Birthday& birthday) {
  if (birthday.batches <= 0) return kNothing;
  const int64_t found = birthday.batches_with_duplicate;
  if (found == 0) return {Tone::kGood, "no two samples of a batch were alike"};
  const double share = static_cast<double>(found) / static_cast<double>(birthday.batches);
  if (share < 0.5) return {Tone::kFair, "now and then two samples of a batch are alike"};
  return {Tone::kPoor,
          fmt::format("most batches of {} hold two that are alike", with_commas(birthday.batch_size))};
}

Verdict answer_yes_or_no(const Verdict& verdict, const YesOrNo& words) {
  const std::string_view word = verdict.tone == Tone::kGood   ? words.good
                                : verdict.tone == Tone::kFair ? words.fair
                                                              : words.poor;
  if (verdict.tone == Tone::kNote) return verdict;
  return {verdict.tone, fmt::format("{}: {}", word, verdict.words)};
}

Verdict gravest(const Verdict& a, const Verdict& b) {
  const auto gravity = [](const Verdict& verdict) {
    return verdict.tone == Tone::kPoor   ? 3
           : verdict.tone == Tone::kFair ? 2
           : verdict.tone == Tone::kGood ? 1
                                         : 0;
  };
  return gravity(b) > gravity(a) ? b : a;
}

}  // namespace nowhere
