// The index of packed files, kept between runs and shared by the processes of a machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "data/pack_index.h"

namespace nowhere {

struct IndexCacheConfig {
  std::filesystem::path folder;             // empty: nothing is kept
  int64_t from = 20'000;                    // photographs: fewer are found as fast by the walk
  uint64_t map_from = uint64_t{256} << 20;  // bytes of an index that is mapped, not read
};

// The folder for what can be made again: nowhere/ in XDG_CACHE_HOME or ~/.cache, or a folder of the user's
// own among the temporary files. Made if need be; empty when there is none to write to.
std::filesystem::path index_cache_folder();

struct CachedIndex {
  PackIndex index;
  bool walked = false;  // this process walked over the packs
  bool kept = false;    // and wrote what it found for others
};

// The index of the packs, which open_header() opened. The first process that asks walks over them and writes
// it down while the others wait; they read what it wrote. A file that is damaged or of other packs counts as
// none. Throws what make_pack_index() throws, and Stopped soon after stop() says so while it waits.
CachedIndex open_pack_index(std::span<const PackReader> packs, const IndexCacheConfig& config,
                            const std::function<bool()>& stop);

}  // namespace nowhere
