// Adam's memory in the layout of PyTorch's optimizer.state_dict().
#pragma once

#include <string>

#include "archive/value.h"
#include "train/adam.h"

namespace nowhere {

Dict optimizer_state(const Adam& adam);

// Throws a data error when it belongs to other parameters. An empty state (before the first step) is fine.
void load_optimizer_state(Adam& adam, const Value& state, const std::string& where);

}  // namespace nowhere
