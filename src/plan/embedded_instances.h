// The text of instances.json as part of the program. Used inside this folder only.
#pragma once

#include <string_view>

namespace nowhere {

std::string_view embedded_instances();

}  // namespace nowhere
