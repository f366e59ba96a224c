// The same work on many items, on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace nowhere {

// Calls work(item) for every item in [0, count), each once, on `threads` threads; `work` must be safe to call
// from several. Returns when all are done. The first exception stops the rest and is thrown here.
void parallel_for(size_t count, int threads, const std::function<void(size_t item)>& work);

// The same in chunks of consecutive items, for work that keeps state from item to item: work(begin, end).
// `progress(done items)` is called after each chunk, by one thread at a time.
void parallel_chunks(size_t count, size_t chunk, int threads,
                     const std::function<void(size_t begin, size_t end)>& work,
                     const std::function<void(int64_t done)>& progress);

}  // namespace nowhere
