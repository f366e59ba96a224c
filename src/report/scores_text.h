// Scores for the terminal.
#pragma once

#include <string>
#include <vector>

#include "report/scores.h"

namespace nowhere {

// Lines of at most 80 columns, except for longer names.
std::string scores_text(const Scores& scores);

// What was judged, in short phrases: "epoch 12", "1,204,224 images seen", "64 x 64 px", "1,043,000
// parameters".
std::vector<std::string> model_facts(const ModelFacts& model);
// "1,600 training, 200 validation and 200 test photographs"
std::string data_counts(const JudgedData& data);

}  // namespace nowhere
