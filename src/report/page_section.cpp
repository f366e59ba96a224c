#include <fmt/core.h>

#include "core/text.h"
#include "report/html.h"
#include "report/number_text.h"
#include "report/page_parts.h"

namespace nowhere {
namespace {

// A cell that knows its heading: on a phone every row becomes a block of its own, without headings above.
std::string cell(std::string_view heading, const std::string& html, std::string_view kind) {
  return element("td", html, {{"data-heading", heading}, {"class", kind}});
}

std::string row(const ScoreLine& line, const std::string& reference_name) {
  const std::string meaning =
      element("div", tone_mark(line.verdict.tone) + html_text(line.verdict.words), {{"class", "verdict"}}) +
      html_text(line.meaning);
  return element("tr", element("th", html_text(line.name), {{"scope", "row"}}) +
                           cell("samples", html_text(line.value), "number") +
                           cell(reference_name, html_text(line.reference.empty() ? "–" : line.reference),
                                "number reference") +
                           cell("what it means", meaning, "meaning") +
                           cell("what is normal", html_text(line.normal), "normal")) +
         "\n";
}

std::string score_table(const ReportSection& section) {
  std::string headings = element("th", "score");
  headings += element("th", "samples", {{"class", "number"}});
  headings += element("th", html_text(section.reference_name), {{"class", "number"}});
  headings += element("th", "what it means") + element("th", "what is normal");
  std::string rows;
  for (const ScoreLine& line : section.lines) rows += row(line, section.reference_name);
  return element("table", element("thead", element("tr", headings)) + element("tbody", rows),
                 {{"class", "scores"}});
}

std::string figure(const Figure& figure) {
  std::string caption = element("strong", html_text(figure.title));
  if (!figure.caption.empty()) caption += " " + html_text(figure.caption);
  return element("figure", empty_element("img", {{"src", data_address(figure.bytes, figure.mime)},
                                                 {"alt", figure.title}}) +
                               element("figcaption", caption)) +
         "\n";
}

std::string worst_pairs(const Scores& scores) {
  std::string html;
  for (const MemorisationScores& space : scores.memorisation)
    if (!space.worst_pairs_png.empty())
      html += figure({.title = fmt::format("The nearest pairs, in {}.", space.space),
                      .caption = "Samples beside the training photographs that are most like them: "
                                 "the worst there are. Alike in mood is fine; the same street is not.",
                      .bytes = space.worst_pairs_png});
  return html;
}

std::string epoch_table(const Scores& scores) {
  if (!scores.parzen || !scores.parzen->epochs || scores.parzen->epochs->points.empty())
    return element("p", "A run with several saved epochs can have a score for each of them here.",
                   {{"class", "weakness"}});
  const ParzenEpochs& epochs = *scores.parzen->epochs;
  std::string rows;
  for (const ParzenEpoch& point : epochs.points)
    rows += element("li", element("span", "epoch " + with_commas(point.epoch)) +
                              element("span", html_text(number_text(point.test))));
  const std::string title = fmt::format("Every epoch by one sigma, {}", number_text(epochs.sigma));
  return element("details",
                 element("summary", html_text(title)) + element("ol", rows, {{"class", "epochs"}}));
}

}  // namespace

std::string page_figures(const std::vector<Figure>& figures, ReportPart part) {
  std::string html;
  for (const Figure& each : figures)
    if (each.part == part && !each.bytes.empty()) html += figure(each);
  if (html.empty() || part != ReportPart::kPictures) return html;
  return element("section", element("h2", "Pictures") + html) + "\n";
}

std::string page_section(const ReportSection& section, const Scores& scores,
                         const std::vector<Figure>& figures) {
  if (!section.missing.empty()) return page_figures(figures, section.part);
  std::string html = element("h2", html_text(section.title));
  html += element("p", html_text(section.about), {{"class", "about"}});
  html += score_table(section);
  html += page_figures(figures, section.part);
  if (section.part == ReportPart::kMemorisation) html += worst_pairs(scores);
  if (section.part == ReportPart::kParzen) html += epoch_table(scores);
  html += element("p", element("strong", "What it cannot tell.") + " " + html_text(section.weakness),
                  {{"class", "weakness"}});
  return element("section", "\n" + html) + "\n";
}

}  // namespace nowhere
