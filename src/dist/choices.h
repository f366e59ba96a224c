// Choices of a run of several processes. Free of LibTorch.
#pragma once

namespace nowhere {

// Gradients travel as they are, or as numbers of 16 bits.
enum class GradientCompression { kNone, kFp16, kBf16 };

}  // namespace nowhere
