// The same work on many items, on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace nowhere {

// Calls work(item) for every item in [0, count), each once, on `threads` threads; `work` must be safe to call
// from several. Returns when all are done. The first exception stops the rest and is thrown here.
void parallel_for(size_t count, int threads, const std::function<void(size_t item)>& work);

}  // namespace nowhere
