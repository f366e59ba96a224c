// The variables of the environment, as a function: tests give their own.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace nowhere {

// The value of a variable of the environment; nothing where it is unset or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment process_environment();

}  // namespace nowhere
