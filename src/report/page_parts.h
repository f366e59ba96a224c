// The parts of the page, from top to bottom. Each returns HTML, empty where there is nothing to say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page.h"

namespace nowhere {

std::string_view page_style();  // CSS

std::string page_header(const Scores& scores);
std::string page_summary(const std::vector<ReportSection>& sections);
std::string page_figures(const std::vector<Figure>& figures, ReportPart part);
std::string page_section(const ReportSection& section, const Scores& scores,
                         const std::vector<Figure>& figures);
std::string page_missing(const std::vector<ReportSection>& sections);
std::string page_method(const Scores& scores);

// The word of a verdict in its colour.
std::string tone_mark(Tone tone);

}  // namespace nowhere
