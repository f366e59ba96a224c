// Numbers judged in plain words. The limits are rules of thumb, and all of them are in verdict.h and
// verdict.cpp.
#pragma once

#include <string>
#include <string_view>

#include "report/scores.h"

namespace nowhere {

enum class Tone { kGood, kFair, kPoor, kNote };  // kNote: reported, not judged

struct Verdict {
  Tone tone = Tone::kNote;
  std::string words;  // one short sentence without a full stop
};

// A distance is good, or fair, up to this many times its floor.
struct FloorLimits {
  double good = 0, fair = 0;
};
// Of sliced Wasserstein distances: different sequences are further apart than files that may be neighbours.
constexpr FloorLimits wasserstein_limits(bool floor_by_sequence) {
  return floor_by_sequence ? FloorLimits{1.5, 3} : FloorLimits{3, 8};
}
// For Frechet distances on features other than Inception's.
constexpr double kGoodFrechet = 2, kFairFrechet = 8;
// Above the floor on Inception's, where the scale is known: 10 is hard to tell from real, 150 is a sketch.
constexpr double kGoodFid = 15, kFairFid = 100;

std::string_view tone_word(Tone tone);  // "good", "fair", "poor", "note"

// `picture_size` in pixels, 0 when it is not known: then the gap to the photographs is reported, not judged.
Verdict judge_parzen(const ParzenScores& scores, int picture_size);
Verdict judge_sigma(const ParzenScores& scores);
Verdict judge_wasserstein(double value, double floor, bool floor_by_sequence);
Verdict judge_frechet(const FeatureScores& scores);
Verdict judge_kernel(const FeatureScores& scores);

enum class Share { kPrecision, kRecall, kDensity, kCoverage };
// `real` is what photographs reach in place of the samples; when it is not finite, the usual value is
// assumed.
Verdict judge_share(Share share, double value, double real);

Verdict judge_nearness(const MemorisationScores& scores);
Verdict judge_nearest_of_all(const MemorisationScores& scores);
Verdict judge_median(const MemorisationScores& scores);
Verdict judge_diversity(double ratio);
Verdict judge_birthday(const CollapseScores::Birthday& birthday);

struct YesOrNo {
  std::string_view good, fair, poor;
};
// The verdict as the answer to a question: "roughly: 3.7 times what photographs score".
Verdict answer_yes_or_no(const Verdict& verdict, const YesOrNo& words);

// The one that matters most when several verdicts share one answer: poor before fair before good before a
// note.
Verdict gravest(const Verdict& a, const Verdict& b);

}  // namespace nowhere
