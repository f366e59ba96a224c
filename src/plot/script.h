// The commands that make gnuplot draw. Used inside this folder only.
#pragma once

#include <string>
#include <vector>

#include "plot/panel.h"

namespace nowhere {

// One below the other. Nothing but numbers and quoted text is taken over from the plots.
std::string make_script(const std::vector<Panel>& panels);

}  // namespace nowhere
