// How many accelerators there are. Free of LibTorch, for the command line.
#pragma once

#include "device/choices.h"

namespace nowhere {

// Of the kind that `choice` means; 0 on the CPU. A process that has asked must not use CUDA in a copy of
// itself: start programs, do not fork.
int visible_devices(DeviceChoice choice);

}  // namespace nowhere
