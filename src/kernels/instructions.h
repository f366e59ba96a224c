// Which instructions the kernels use on this processor.
#pragma once

#include <string>

namespace nowhere {

std::string kernel_instructions();  // Highway's name for them: "AVX3", "AVX2"

}  // namespace nowhere
