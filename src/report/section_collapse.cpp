#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace nowhere {
namespace {

std::string batches_text(int64_t found, int64_t batches) {
  return fmt::format("{} of {}", with_commas(found), with_commas(batches));
}

// Two digits: the estimate is not more precise than that.
int64_t rounded(double number) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(number, 1.0))) - 1));
  return std::max<int64_t>(1, std::llround(number / unit) * std::llround(unit));
}

ScoreLine birthday_line(const CollapseScores::Birthday& birthday) {
  const std::string support = birthday.support
                                  ? fmt::format(" That is what about {} would give.",
                                                counted(rounded(*birthday.support), "different picture"))
                                  : "";
  return {.name = fmt::format("Twins in {}", with_commas(birthday.batch_size)),
          .value = batches_text(birthday.batches_with_duplicate, birthday.batches),
          .reference = "",
          .verdict = judge_birthday(birthday),
          .meaning = fmt::format("Batches of {} samples in which two are closer than any two different "
                                 "photographs in as many batches of them, or cannot be told apart.{}",
                                 with_commas(birthday.batch_size), support),
          .normal = "None, or few."};
}

}  // namespace

ReportSection collapse_section(const Scores& scores) {
  ReportSection section{.part = ReportPart::kCollapse,
                        .title = "Variety",
                        .question = "Does it draw the same again and again?",
                        .reference_name = "real photographs"};
  if (!scores.collapse) {
    section.missing = "It needs photographs to compare with: give more of them in --dataroot.";
    return section;
  }
  section.about =
      "A generator may learn one good picture and repeat it: it has collapsed. "
      "Two things give that away: samples that differ less from each other than photographs do, "
      "and twins in a small batch, as with birthdays in a school class.";
  section.answer = judge_diversity(scores.collapse->diversity_ratio);
  section.lines.push_back({.name = "Diversity",
                           .value = ratio_text(scores.collapse->diversity_ratio),
                           .reference = "1.00",
                           .verdict = section.answer,
                           .meaning = "How different two samples are, measured by two photographs.",
                           .normal = "0.8 to 1.2. Below 0.5 it has collapsed."});
  if (scores.collapse->birthday) {
    section.lines.push_back(birthday_line(*scores.collapse->birthday));
    section.answer = gravest(section.answer, section.lines.back().verdict);
  }
  section.weakness =
      "Samples can differ from each other and still leave out whole kinds of street: "
      "recall and coverage would show that.";
  return section;
}

}  // namespace nowhere
