// Scores as text.
#pragma once

#include <cstdint>
#include <string>

#include "report/scores.h"

namespace nowhere {

// About three significant digits: "12,345", "64.2", "0.0312". A dash for what is not finite.
std::string number_text(double value);

// As many digits as the error allows: "3,123 ± 12". Without an error, the number alone.
std::string number_text(const MeanScore& score);

std::string ratio_text(double ratio);    // 0.6149 -> "0.61"
std::string percent_text(double share);  // 0.0123 -> "1.2 %"

}  // namespace nowhere
