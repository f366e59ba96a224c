#include <fmt/core.h>

#include <cmath>

#include "core/text.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace nowhere {
namespace {

std::string normal_text(double floor, bool by_sequence) {
  if (!std::isfinite(floor) || floor <= 0) return "";
  const FloorLimits limits = wasserstein_limits(by_sequence);
  return fmt::format("Below {} is good, below {} fair.", number_text(limits.good * floor),
                     number_text(limits.fair * floor));
}

std::string meaning_text(size_t level, size_t levels) {
  if (level == 0) return "The finest details: edges, grain, leaves.";
  if (level + 1 == levels) return "The coarsest: layout, light and colour of the whole picture.";
  return "Shapes in between: windows, cars, kerbs.";
}

std::string floor_text(const WassersteinScores& distances) {
  const std::string sets = distances.pictures > 0
                               ? fmt::format("two sets of {}", counted(distances.pictures, "photograph"))
                               : std::string("two sets");
  return distances.floor_by_sequence
             ? fmt::format(" Here it is measured between {} from different sequences.", sets)
             : fmt::format(
                   " Here it is measured between {} that may be of the same sequences, "
                   "or even neighbours: new streets would score higher.",
                   sets);
}

}  // namespace

ReportSection wasserstein_section(const Scores& scores) {
  ReportSection section{.part = ReportPart::kWasserstein,
                        .title = "Texture and layout (sliced Wasserstein)",
                        .question = "Do they look like the photographs?",
                        .reference_name = "real photographs"};
  if (!scores.wasserstein) {
    section.missing = "It needs photographs to compare with: give more of them in --dataroot.";
    return section;
  }
  const WassersteinScores& distances = *scores.wasserstein;
  const bool by_sequence = distances.floor_by_sequence;
  section.about =
      "Small patches of generated pictures are compared with small patches of photographs, "
      "at several sizes of the picture: the sliced Wasserstein distance, times 1,000. Lower is better. "
      "Two sets of real photographs do not score 0 either: "
      "what they score is the floor, which is what to compare with.";
  section.about += floor_text(distances);
  for (size_t i = 0; i < distances.levels.size(); ++i) {
    const WassersteinScores::Level& level = distances.levels[i];
    section.lines.push_back({.name = "At " + level.name,
                             .value = number_text(level.value),
                             .reference = number_text(level.floor),
                             .verdict = judge_wasserstein(level.value, level.floor, by_sequence),
                             .meaning = meaning_text(i, distances.levels.size()),
                             .normal = normal_text(level.floor, by_sequence)});
  }
  const Verdict verdict = judge_wasserstein(distances.mean, distances.mean_floor, by_sequence);
  section.lines.push_back({.name = "Mean",
                           .value = number_text(distances.mean),
                           .reference = number_text(distances.mean_floor),
                           .verdict = verdict,
                           .meaning = "All sizes together.",
                           .normal = normal_text(distances.mean_floor, by_sequence)});
  section.answer = answer_yes_or_no(verdict, {"closely", "roughly", "not yet"});
  section.weakness =
      "It sees patches, not things: pictures with the right texture in the wrong place still do well. "
      "Compare only runs that were judged with as many samples.";
  return section;
}

}  // namespace nowhere
