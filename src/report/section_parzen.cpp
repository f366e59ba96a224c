#include <fmt/core.h>

#include <numbers>

#include "core/text.h"
#include "report/number_text.h"
#include "report/pixel_range.h"
#include "report/sections.h"

namespace nowhere {
namespace {

ScoreLine likelihood_line(const ParzenScores& parzen, int picture_size) {
  return {.name = "Log-likelihood",
          .value = number_text(parzen.test),
          .reference = parzen.baseline ? number_text(parzen.baseline->test) : "",
          .verdict = judge_parzen(parzen, picture_size),
          .meaning =
              "Mean over the test photographs, in nats, ± its standard error, of pixels from 0 to 1. "
              "Higher is better.",
          .normal =
              "Below what real photographs score in the place of the samples. "
              "The number itself depends on the size of the picture."};
}

// The number depends on how pixels are written; both usual ways are given.
ScoreLine signed_line(const ParzenScores& parzen) {
  const ParzenScores other = in_signed_pixels(parzen);
  const double shift = static_cast<double>(parzen.dimensions) * std::numbers::ln2;
  return {.name = "Of pixels from -1 to 1",
          .value = number_text(other.test),
          .reference = other.baseline ? number_text(other.baseline->test) : "",
          .verdict = {Tone::kNote, fmt::format("the same score, {} lower, at sigma {}", number_text(shift),
                                               number_text(other.sigma))},
          .meaning = fmt::format("As the reference computes it. Pixels that range twice as far take ln 2 off "
                                 "for each of the {} of a picture.",
                                 counted(parzen.dimensions, "number")),
          .normal = "Published figures are mostly of pixels from 0 to 1: compare them with the line above."};
}

ScoreLine sigma_line(const ParzenScores& parzen) {
  std::string normal = "Not the first nor the last that was tried.";
  if (parzen.grid.size() == 1)
    normal = "It was the only one that was tried.";
  else if (!parzen.grid.empty())
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
  if (scores.data.held_out == HeldOut::kNothing)
    section.about += " Here the model has seen test photographs in training, which flatters it.";
  if (scores.data.held_out == HeldOut::kUnknown)
    section.about += " If the model has seen the test photographs in training, that flatters it.";
  section.lines.push_back(likelihood_line(*scores.parzen, scores.model.picture_size));
  if (scores.parzen->dimensions > 0) section.lines.push_back(signed_line(*scores.parzen));
  section.lines.push_back(sigma_line(*scores.parzen));
  section.answer = section.lines[0].verdict;
  section.weakness =
      "It ranks models poorly where pictures have many pixels: smooth averages can beat better streets. "
      "Trust the other scores first, and compare only runs of the same size with as many samples.";
  return section;
}

}  // namespace nowhere
