#include "report/sections.h"

namespace nowhere {

std::vector<ReportSection> report_sections(const Scores& scores) {
  return {wasserstein_section(scores), features_section(scores), memorisation_section(scores),
          collapse_section(scores), parzen_section(scores)};
}

}  // namespace nowhere
