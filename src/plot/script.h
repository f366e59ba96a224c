// The commands that make gnuplot draw. Used inside this folder only.
#pragma once

#include <string>
#include <vector>

#include "plot/panel.h"

namespace nowhere {

// The panels one below the other. Only numbers and quoted text are copied from the plots.
std::string make_script(const std::vector<Panel>& panels);

}  // namespace nowhere
