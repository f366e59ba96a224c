// Help texts, made from the declarations. Each fits one screen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace nowhere {

std::string program_help(const std::vector<std::unique_ptr<Command>>& commands);
// Without `everything`, details are left out.
std::string command_help(const Command& command, bool everything = false);

}  // namespace nowhere
