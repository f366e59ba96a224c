#include "core/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/atomic_file.h"
#include "core/descriptor.h"
#include "core/text.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

Failure cannot(std::string_view verb, const fs::path& path, int error_number) {
  return Failure{fmt::format("cannot {} {}: {}", verb, printable(path), system_reason(error_number))};
}

}  // namespace

std::string printable(const fs::path& path) {
  return printable_text(path.native());
}

Result<void> read_file(const fs::path& path, std::vector<uint8_t>& bytes) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would hang the reader.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (file.number() < 0 || ::fstat(file.number(), &info) != 0) return cannot("open", path, errno);
  if (!S_ISREG(info.st_mode)) return Failure{fmt::format("{} is not a regular file", printable(path))};
  bytes.resize(static_cast<size_t>(info.st_size));
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", path, errno);
    if (got == 0) break;  // it shrank while we read
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return {};
}

void write_file(const fs::path& path, std::span<const uint8_t> bytes, bool durable) {
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit(durable);
}

void write_file(const fs::path& path, std::string_view text, bool durable) {
  write_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()), durable);
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Error(fmt::format("cannot make the folder {}: {}", printable(path), system_reason(error.value())));
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (file.number() < 0 || ::fstat(file.number(), &info) != 0) return cannot("open", path, errno);
  if (!S_ISREG(info.st_mode)) return Failure{fmt::format("{} is not a regular file", printable(path))};
  MappedFile mapped;
  if (info.st_size == 0) return mapped;
  void* data = ::mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_SHARED, file.number(), 0);
  if (data == MAP_FAILED) return cannot("map", path, errno);
  mapped.data_ = static_cast<const uint8_t*>(data);
  mapped.size_ = static_cast<size_t>(info.st_size);
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<uint8_t*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace nowhere
