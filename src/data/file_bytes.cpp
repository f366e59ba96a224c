#include "data/file_bytes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/file.h"
#include "core/hash.h"

namespace nowhere {

Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
  FileBytes bytes;
  // Without O_NONBLOCK, opening a pipe that nobody writes to would hang the reader.
  bytes.file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!bytes.file_.is_open() || ::fstat(bytes.file_.number(), &info) != 0)
    return Failure{fmt::format("cannot open {}: {}", printable(path), system_reason(errno))};
  if (!S_ISREG(info.st_mode)) return Failure{fmt::format("{} is not a regular file", printable(path))};
  bytes.size_ = static_cast<uint64_t>(info.st_size);
  const std::array<uint64_t, 6> facts = {info.st_ino,
                                         bytes.size_,
                                         static_cast<uint64_t>(info.st_mtim.tv_sec),
                                         static_cast<uint64_t>(info.st_mtim.tv_nsec),
                                         static_cast<uint64_t>(info.st_ctim.tv_sec),
                                         static_cast<uint64_t>(info.st_ctim.tv_nsec)};
  bytes.stamp_ = hash64({reinterpret_cast<const uint8_t*>(facts.data()), sizeof(facts)});
  return bytes;
}

Result<void> FileBytes::read(uint64_t offset, std::span<uint8_t> into) const {
  if (offset > size_ || into.size() > size_ - offset)
    return Failure{fmt::format("it ends before byte {}", offset + into.size())};
  if (!file_.is_open()) {
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    return {};
  }
  while (!into.empty()) {
    const ssize_t got = ::pread(file_.number(), into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failure{fmt::format("it cannot be read: {}", system_reason(errno))};
    if (got == 0) return Failure{"the file was cut short after it was opened"};
    into = into.subspan(static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
  return {};
}

void FileBytes::will_need(uint64_t offset, uint64_t size) const {
  if (file_.is_open())
    ::posix_fadvise(file_.number(), static_cast<off_t>(offset), static_cast<off_t>(size),
                    POSIX_FADV_WILLNEED);
}

}  // namespace nowhere
