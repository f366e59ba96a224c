#include "core/heap.h"

#include <malloc.h>

namespace nowhere {

void keep_freed_memory() {
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // the most that there may be
  mallopt(M_TRIM_THRESHOLD, 1024 * kMegabyte);
  mallopt(M_TOP_PAD, 64 * kMegabyte);
}

void share_heaps() {
  mallopt(M_ARENA_MAX, 2);
}

void return_freed_memory() {
  malloc_trim(0);
}

}  // namespace nowhere
