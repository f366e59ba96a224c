// Smoothing of noisy curves.
#pragma once

#include <span>
#include <vector>

namespace nowhere {

// Exponential moving average, corrected for the bias towards 0 at the start. `weight` is that of the past, in
// [0, 1): 0 changes nothing. A value that is not finite repeats the average before it.
std::vector<double> smooth(std::span<const double> values, double weight);

}  // namespace nowhere
