#include <fmt/core.h>

#include "report/held_out_text.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace nowhere {
namespace {

void add_lines(const MemorisationScores& scores, ReportSection& section) {
  section.lines.push_back(
      {.name = fmt::format("Very near, in {}", scores.space),
       .value = percent_text(scores.nearer_than_1st_percentile),
       .reference = "1.0 %",
       .verdict = judge_nearness(scores),
       .meaning = "Samples nearer to a training photograph than 99 of 100 held-out photographs are.",
       .normal = "About 1 %, as for any new photograph. More than 15 % is suspicious."});
  section.lines.push_back(
      {.name = fmt::format("Nearest of all, in {}", scores.space),
       .value = percent_text(scores.nearer_than_any),
       .reference = "0 %",
       .verdict = judge_nearest_of_all(scores),
       .meaning = "Samples nearer to a training photograph than every held-out photograph is.",
       .normal = "Close to 0 %."});
  section.lines.push_back({.name = fmt::format("Usual distance, in {}", scores.space),
                           .value = number_text(scores.sample_median),
                           .reference = number_text(scores.held_out_median),
                           .verdict = judge_median(scores),
                           .meaning = "From a picture to the training photograph most like it (median).",
                           .normal = "About that of held-out photographs, or more."});
}

// The explanations of the first space are not repeated for the next.
void say_once(ReportSection& section, size_t lines_of_a_space) {
  for (size_t i = lines_of_a_space; i < section.lines.size(); ++i) {
    section.lines[i].meaning.clear();
    section.lines[i].normal.clear();
  }
}

// Copies of photographs that are not here cannot be found.
void withdraw_verdicts(ReportSection& section) {
  section.answer = {Tone::kNote, "cannot be told: it was not trained on the photographs that are given here"};
  for (ScoreLine& line : section.lines) line.verdict = {Tone::kNote, "not its training photographs"};
}

}  // namespace

ReportSection memorisation_section(const Scores& scores) {
  ReportSection section{.part = ReportPart::kMemorisation,
                        .title = "Copying",
                        .question = "Does it copy its training photographs?",
                        .reference_name = "held-out photographs"};
  if (scores.memorisation.empty()) {
    section.missing = "It needs training photographs and held-out ones: give more of them in --dataroot.";
    return section;
  }
  section.about =
      "For every sample the most similar training photograph is looked up. "
      "Photographs held out of the comparison show how near a new picture comes by chance; "
      "samples should come no nearer than that.";
  const bool relative = scores.memorisation.front().relative;
  if (relative)
    section.about +=
        " Nearness is the distance to that photograph over the distance to the nearest one of another "
        "sequence: fog resembles all other fog and is no copy.";
  for (const MemorisationScores& space : scores.memorisation) {
    add_lines(space, section);
    const Verdict answer = gravest(judge_nearness(space), judge_nearest_of_all(space));
    section.answer = section.answer.words.empty() ? answer : gravest(section.answer, answer);
  }
  say_once(section, section.lines.size() / scores.memorisation.size());
  if (trained_on_others(scores.data)) withdraw_verdicts(section);
  section.weakness = relative ? "A" : "A blurred sample is near to everything, and a";
  section.weakness +=
      " copy that is shifted by a few pixels is near to nothing. "
      "Look at the pairs before believing the numbers.";
  if (scores.data.held_out == HeldOut::kUnknown)
    section.weakness += " It is not known whether these are the photographs that it was trained on.";
  if (!scores.data.by_sequence)
    section.weakness +=
        " Here the held-out photographs may come from the same sequences as the training photographs, "
        "and be nearer to them than new ones would be: the test is lenient.";
  return section;
}

}  // namespace nowhere
