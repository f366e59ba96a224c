// Whether this CPU's matrix units (AMX) can be trusted with bf16.
#pragma once

namespace nowhere {

// True when the CPU says that it has them and a small convolution on all threads survives in a process of its
// own: under some hypervisors they are announced and end the process with an illegal instruction. Where that
// is so, oneDNN is told to do without. To be called before the first convolution and before other threads are
// started.
bool matrix_units_work();

}  // namespace nowhere
