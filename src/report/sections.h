// The contents of the report, whatever its format: one section for each kind of score, in plain words.
#pragma once

#include <string>
#include <vector>

#include "report/scores.h"
#include "report/verdict.h"

namespace nowhere {

enum class ReportPart { kPictures, kWasserstein, kFeatures, kMemorisation, kCollapse, kParzen };

struct ScoreLine {
  std::string name;
  std::string value;
  std::string reference;  // what real photographs reach; empty: not defined
  Verdict verdict;
  std::string meaning;  // what the number says
  std::string normal;   // what to expect of it
};

struct ReportSection {
  ReportPart part = ReportPart::kPictures;
  std::string title;
  std::string question;  // that it answers, and its answer in one line
  Verdict answer;
  std::string about;           // how it is measured and which direction is better
  std::string reference_name;  // heading above the lines' references
  std::vector<ScoreLine> lines;
  std::string weakness;  // what the scores cannot show
  std::string missing;   // how to get it; only where it was not measured, and then there are no lines
};

ReportSection wasserstein_section(const Scores& scores);
ReportSection features_section(const Scores& scores);
ReportSection memorisation_section(const Scores& scores);
ReportSection collapse_section(const Scores& scores);
ReportSection parzen_section(const Scores& scores);

// All of them, the most important first.
std::vector<ReportSection> report_sections(const Scores& scores);

// The name of a score says which features it was made on: "FID" and "KID" only on Inception's, otherwise "FD
// (model.ts)" and "KD (model.ts)", which cannot be compared with published scores.
std::string frechet_name(const FeatureScores& scores);
std::string kernel_name(const FeatureScores& scores);

}  // namespace nowhere
