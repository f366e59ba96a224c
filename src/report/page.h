// An evaluation as one self-contained HTML page: no script, no other file, no network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/scores.h"
#include "report/sections.h"

namespace nowhere {

struct Figure {
  std::string title;
  std::string caption;  // one or two sentences; may be empty
  std::vector<uint8_t> bytes;
  std::string mime = "image/png";
  ReportPart part = ReportPart::kPictures;  // the section it stands in
};

std::string render_report(const Scores& scores, const std::vector<Figure>& figures);

}  // namespace nowhere
