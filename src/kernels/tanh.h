#pragma once

#include <span>

namespace nowhere {

// In place; each number's bits depend on it alone.
void tanh_numbers(std::span<float> numbers);

}  // namespace nowhere
