// The cores that this process may use.
#pragma once

namespace nowhere {

// Cores that the scheduler and the control group grant, at least 1.
int available_cores();

}  // namespace nowhere
