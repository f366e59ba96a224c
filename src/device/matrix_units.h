// Whether this CPU's matrix units (AMX) can be trusted with bf16.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/choices.h"

namespace nowhere {

struct MatrixUnits {
  bool announced = false;         // the CPU says that it has them
  bool work = false;              // a small training on all threads survived in a process of its own
  std::vector<int> broken_cores;  // those that failed one by one, where it did not
};

// Under some hypervisors matrix units are announced and end the process with an illegal instruction, on some
// cores or on all. Where that is so, oneDNN is told to do without. To be called before the first convolution
// and before other threads are started.
bool matrix_units_work();

// What kAuto means on a CPU: bf16 where its matrix units work, float32 elsewhere. fp16 is a usage error.
Precision cpu_precision(Precision precision);

// The same for people, with the cores that fail. Each core takes a process: it is for `nowhere doctor`.
MatrixUnits probe_matrix_units();
std::string text_of(const MatrixUnits& units);

// The cores granted to this process on which the work does not survive, each tried in a process of its own.
std::vector<int> failing_cores(const std::function<void()>& work);

}  // namespace nowhere
