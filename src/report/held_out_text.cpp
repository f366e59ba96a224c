#include "report/held_out_text.h"

#include <fmt/core.h>

#include "core/text.h"

namespace nowhere {
namespace {

// "37 of 48"
std::string share_text(const SeenPhotographs& photographs) {
  return fmt::format("{} of {}", with_commas(photographs.seen), with_commas(photographs.compared));
}

std::string nothing_text(const SeenPhotographs& seen) {
  const std::string which =
      seen.seen == seen.compared ? "all " + with_commas(seen.compared) : share_text(seen);
  return fmt::format(
      "the run was trained on {} validation and test photographs, "
      "or on pictures that cannot be told from them; --split train, when training, holds some out",
      which);
}

// Of a hundred photographs one may have a twin in another sequence without being counted as seen.
std::string exceptions(const SeenPhotographs& seen) {
  return seen.seen > 0
             ? fmt::format(", but for {} that cannot be told from a training photograph", share_text(seen))
             : "";
}

}  // namespace

std::string_view held_out_word(HeldOut held_out) {
  switch (held_out) {
    case HeldOut::kNothing:
      return "nothing";
    case HeldOut::kFiles:
      return "files";
    case HeldOut::kSequences:
      return "sequences";
    case HeldOut::kUnknown:
      break;
  }
  return "unknown";
}

std::string held_out_text(const JudgedData& data) {
  if (data.validation + data.test == 0) return "";
  switch (data.held_out) {
    case HeldOut::kNothing:
      return nothing_text(data.held_out_seen);
    case HeldOut::kFiles:
      return "single files were held out: the run was not trained on them" + exceptions(data.held_out_seen) +
             ", though perhaps on frames next to them";
    case HeldOut::kSequences:
      return "whole sequences were held out: the run was trained on none of their frames" +
             exceptions(data.held_out_seen);
    case HeldOut::kUnknown:
      break;
  }
  return "it is not known whether the run was trained on the validation and test photographs" +
         (data.unknown.empty() ? "" : ": " + data.unknown);
}

bool trained_on_others(const JudgedData& data) {
  return data.held_out != HeldOut::kUnknown && 2 * data.train_seen.seen < data.train_seen.compared;
}

std::string trained_on_others_text(const JudgedData& data) {
  if (!trained_on_others(data)) return "";
  return fmt::format(
      "the run was trained on {} of the photographs that stand for training here: "
      "copies of its own training photographs cannot be found among them",
      data.train_seen.seen == 0 ? std::string("none") : share_text(data.train_seen));
}

}  // namespace nowhere
