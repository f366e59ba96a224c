#include <fmt/core.h>

#include "core/text.h"
#include "report/held_out_text.h"
#include "report/html.h"
#include "report/page_parts.h"
#include "report/scores_text.h"

namespace nowhere {
namespace {

std::string fact(std::string_view name, const std::string& value) {
  if (value.empty()) return "";
  return element("div", element("dt", html_text(name)) + element("dd", html_text(value)));
}

// Empty for what is not known.
std::string count(uint64_t number) {
  return number > 0 ? with_commas(static_cast<int64_t>(number)) : "";
}

}  // namespace

std::string tone_mark(Tone tone) {
  const std::string_view word = tone_word(tone);
  return element("span", word, {{"class", fmt::format("tone {}", word)}});
}

std::string page_header(const Scores& scores) {
  std::string html =
      element("p", "nowhere evaluate", {{"class", "kicker"}}) + element("h1", html_text(scores.model.name));
  const std::vector<std::string> facts = model_facts(scores.model);
  if (!facts.empty()) html += element("p", html_text(join(facts, " · ")), {{"class", "facts"}});
  const bool doubtful =
      scores.data.held_out == HeldOut::kNothing || scores.data.held_out == HeldOut::kUnknown;
  for (const std::string& note :
       {doubtful ? held_out_text(scores.data) : "", trained_on_others_text(scores.data)})
    if (!note.empty()) html += element("p", html_text("Note: " + note + "."), {{"class", "notice"}});
  return element("header", html);
}

std::string page_summary(const std::vector<ReportSection>& sections) {
  std::string cards;
  for (const ReportSection& section : sections) {
    if (!section.missing.empty()) continue;
    cards +=
        element("li", element("span", html_text(section.question), {{"class", "question"}}) +
                          element("span", tone_mark(section.answer.tone) + html_text(section.answer.words),
                                  {{"class", "answer"}}));
  }
  if (cards.empty()) return "";
  return element("section", element("h2", "In short") + element("ul", cards, {{"class", "summary"}}));
}

std::string page_missing(const std::vector<ReportSection>& sections) {
  std::string notes;
  for (const ReportSection& section : sections)
    if (!section.missing.empty())
      notes += element("li", element("strong", html_text(section.title)) + ". " + html_text(section.missing));
  if (notes.empty()) return "";
  return element("section", element("h2", "Not measured") + element("ul", notes, {{"class", "plain"}}));
}

std::string page_method(const Scores& scores) {
  const ModelFacts& model = scores.model;
  const std::string size = model.picture_size > 0 ? fmt::format("{0} × {0} px", model.picture_size) : "";
  const std::string facts =
      fact("Run", model.name) + fact("Checkpoint", model.file_name) + fact("Epoch", count(model.epoch)) +
      fact("Images seen in training", count(static_cast<uint64_t>(model.images_seen))) +
      fact("Size of a picture", size) +
      fact("Parameters of the generator", count(static_cast<uint64_t>(model.parameters))) +
      fact("Judged", scores.date) + fact("Photographs", scores.data.name) +
      fact("Used of them", data_counts(scores.data)) + fact("How they were parted", scores.data.split_note) +
      fact("What was held out", held_out_text(scores.data)) +
      fact("Samples", scores.samples > 0 ? with_commas(scores.samples) : "");
  return element("section", element("h2", "What was judged") + element("dl", facts) +
                                element("p",
                                        "Good, fair and poor are rules of thumb for small models. "
                                        "No number replaces looking at the pictures.",
                                        {{"class", "weakness"}}));
}

}  // namespace nowhere
