// Writes a zip archive with the layout of torch.save, by libzip: records are not compressed, each starts at a
// multiple of 64 bytes so that torch.load can map it, and the same records give the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace nowhere {

struct ZipRecord {
  std::string name;
  std::span<const uint8_t> bytes;  // not copied
};

// Writes a temporary file beside `path` and renames it when it is on the disk. On any error the temporary
// file is removed, the file at `path` stays as it was, and an Error says why.
void write_zip(const std::filesystem::path& path, std::span<const ZipRecord> records);

}  // namespace nowhere
