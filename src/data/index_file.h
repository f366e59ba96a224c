// The index of packed files as one file, so that a machine walks over their metadata once: a header, then the
// tables just as they lie in memory. It is read by the program that wrote it, on a machine of the same kind;
// whatever is not exactly that is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/error.h"
#include "data/pack_index.h"

namespace nowhere {

// What an index must be of.
struct IndexKey {
  uint64_t stamp = 0;                // of the packs
  std::vector<uint64_t> file_sizes;  // of the packs, in bytes
};

// Throws Error when it cannot be written. A reader sees all of it or nothing.
void write_index(const std::filesystem::path& path, const PackIndex& index, const IndexKey& key);

// The tables lie in `bytes`, which `owner` keeps where they are; nothing is copied. Every number in them is
// checked, so that no use of the index can leave the tables or the packs. The folders are left without paths.
Result<PackIndex> parse_index(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner,
                              const IndexKey& key);

// Small indexes are read, large ones mapped: the processes of a machine then share one copy of them, of which
// each touches what it uses. Nobody changes a file in place, so mapped bytes do not go away.
Result<PackIndex> read_index(const std::filesystem::path& path, const IndexKey& key, uint64_t map_from);

// Makes header and checksum fit the rest of the bytes, for the fuzzer: what gets past them has to be checked
// too. Needs kIndexHeaderBytes of them at least.
void seal_index(std::span<uint8_t> bytes, const IndexKey& key);
constexpr size_t kIndexHeaderBytes = 128;

}  // namespace nowhere
