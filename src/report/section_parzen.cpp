#include <fmt/core.h>

#include "report/number_text.h"
#include "report/sections.h"

namespace nowhere {
namespace {

ScoreLine likelihood_line(const ParzenScores& parzen, int picture_size) {
  return {.name = "Log-likelihood",
          .value = number_text(parzen.test),
          .reference = parzen.baseline ? number_text(parzen.baseline->test) : "",
          .verdict = judge_parzen(parzen, picture_size),
          .meaning = "Mean over the test photographs, in nats, ± its standard error. Higher is better.",
          .normal =
              "Below what real photographs score in the place of the samples. "
              "The number itself depends on the size of the picture."};
}

ScoreLine sigma_line(const ParzenScores& parzen) {
  std::string normal = "Not the first nor the last that was tried.";
  if (!parzen.grid.empty())
    normal =
        fmt::format("Between {} and {}, the ends of the {} that were tried.",
                    number_text(parzen.grid.front()), number_text(parzen.grid.back()), parzen.grid.size());
  return {.name = "Sigma",
          .value = number_text(parzen.sigma),
          .reference = parzen.baseline ? number_text(parzen.baseline->sigma) : "",
          .verdict = judge_sigma(parzen),
          .meaning = "The width of the blur around each sample, chosen on the validation photographs.",
          .normal = normal};
}

}  // namespace

ReportSection parzen_section(const Scores& scores) {
  ReportSection section{.part = ReportPart::kParzen,
                        .title = "Parzen window estimate",
                        .question = "How likely does it make new photographs?",
                        .reference_name = "real photographs"};
  if (!scores.parzen) {
    section.missing = "It needs validation and test photographs: give more of them in --dataroot.";
    return section;
  }
  section.about =
      "Every sample becomes the centre of a small blur; "
      "the score says how much of the blur falls on test photographs. "
      "It is the score of the first papers on such models, kept for comparison with them. Higher is better.";
  if (!scores.data.held_out)
    section.about += " Here the model has seen the test photographs in training, which flatters it.";
  section.lines = {likelihood_line(*scores.parzen, scores.model.picture_size), sigma_line(*scores.parzen)};
  section.answer = section.lines[0].verdict;
  section.weakness =
      "It ranks models poorly where pictures have many pixels: smooth averages can beat better streets. "
      "Trust the other scores first, and compare only runs of the same size with as many samples.";
  return section;
}

}  // namespace nowhere
