#include "kernels/instructions.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace nowhere {

std::string kernel_instructions() {
  // The best of those that were compiled and that the processor has: the lowest bit.
  const int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

}  // namespace nowhere
