// What becomes of memory that was freed.
#pragma once

namespace nowhere {

// Keeps it for the next allocation. A training step allocates the same hundreds of megabytes again and again;
// if they went back to the system each time, it would have to clear every page anew.
void keep_freed_memory();

// All threads allocate from two heaps, where each would have one of its own.
void share_heaps();

// Gives what has been kept back to the system.
void return_freed_memory();

}  // namespace nowhere
