// Runs the program gnuplot. Used inside this folder only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nowhere {

// What gnuplot writes to its output for `script`. Throws with its message when it is missing or fails.
std::vector<uint8_t> run_gnuplot(std::string_view script);

}  // namespace nowhere
