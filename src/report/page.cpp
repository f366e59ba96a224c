#include "report/page.h"

#include "report/html.h"
#include "report/page_parts.h"

namespace nowhere {
namespace {

// Nothing is fetched or executed, whatever a name in the page contains.
constexpr const char* kPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

std::string head(const Scores& scores) {
  return element(
      "head",
      "\n<meta charset=\"utf-8\">\n" +
          empty_element("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}}) + "\n" +
          empty_element("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
          "\n" + empty_element("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) + "\n" +
          element("title", html_text(scores.model.name + " · nowhere evaluate")) +
          element("style", page_style()));
}

}  // namespace

std::string render_report(const Scores& scores, const std::vector<Figure>& figures) {
  const std::vector<ReportSection> sections = report_sections(scores);
  std::string body = page_header(scores);
  body += page_summary(sections);
  body += page_figures(figures, ReportPart::kPictures);
  for (const ReportSection& section : sections) body += page_section(section, scores, figures);
  body += page_missing(sections);
  body += page_method(scores);
  return "<!DOCTYPE html>\n" +
         element("html", "\n" + head(scores) + element("body", element("main", body)), {{"lang", "en"}});
}

}  // namespace nowhere
