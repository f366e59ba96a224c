// Words of the configuration, free of LibTorch so that the command line can include them.
#pragma once

namespace nowhere {

enum class Kernels { kAuto, kTorch };  // auto: our own for the CPU where they are faster

}  // namespace nowhere
