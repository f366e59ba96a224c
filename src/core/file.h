// Whole files: a reader never sees half of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace nowhere {

// A path in messages, tables and JSON: see printable_text.
std::string printable(const std::filesystem::path& path);

// Reads into `bytes`, whose memory is reused.
Result<void> read_file(const std::filesystem::path& path, std::vector<uint8_t>& bytes);

// Writes a temporary file beside `path` and renames it. When `durable`, waits until the disk has the file and
// its name. For data that comes in pieces there is AtomicFile.
void write_file(const std::filesystem::path& path, std::span<const uint8_t> bytes, bool durable = false);
void write_file(const std::filesystem::path& path, std::string_view text, bool durable = false);

void make_directories(const std::filesystem::path& path);

// A file's bytes by mmap, read-only; those that go missing meanwhile read as zeros (core/mapping_guard.h).
// Movable; the span is valid while the object is.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile() = default;
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const uint8_t> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace nowhere
