#include "core/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "core/descriptor.h"
#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBufferBytes = 1 << 20;

// Digits only: folders are cleaned of what matches "*.<digits>.tmp".
fs::path temporary_name(const fs::path& path) {
  static std::atomic<uint32_t> writers{0};  // shared by all, so that no two threads get the same name
  fs::path name = path;
  name += fmt::format(".{}{:06}.tmp", ::getpid(), writers++ % 1'000'000);
  return name;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  open_temporary();
  // setvbuf allocates no buffer of the given size itself.
  buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes);
  std::setvbuf(stream_, buffer_.get(), _IOFBF, kBufferBytes);
}

void AtomicFile::open_temporary() {
  // A file of that name can only be left over from a process that was killed and had the same number.
  constexpr int kAttempts = 100;
  Descriptor file;
  for (int attempt = 0; attempt < kAttempts && !file.is_open(); ++attempt) {
    temporary_ = temporary_name(path_);
    file = Descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file.is_open() && errno != EEXIST) break;
  }
  if (!file.is_open()) refuse(errno);
  stream_ = ::fdopen(file.number(), "wb");
  if (stream_ == nullptr) {
    const int reason = errno;
    ::unlink(temporary_.c_str());
    refuse(reason);
  }
  file.release();  // the stream's now
}

AtomicFile::~AtomicFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::refuse(int reason) const {
  throw Error(fmt::format("cannot write {}: {}", printable(path_), system_reason(reason)));
}

bool AtomicFile::note(bool success) {
  if (!success && error_ == 0) error_ = errno != 0 ? errno : EIO;
  return success;
}

bool AtomicFile::write(const void* data, size_t size) {
  return note(std::fwrite(data, 1, size, stream_) == size);
}

bool AtomicFile::seek(int64_t offset, int whence) {
  return note(::fseeko(stream_, offset, whence) == 0);
}

int64_t AtomicFile::tell() {
  const int64_t position = ::ftello(stream_);
  note(position >= 0);
  return position;
}

void AtomicFile::commit(bool durable) {
  if (error_ != 0) refuse(error_);
  if (std::fflush(stream_) != 0 || (durable && ::fsync(::fileno(stream_)) != 0)) refuse(errno);
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) refuse(errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(errno);
  temporary_.clear();
  if (durable) sync_folder();
}

// The name is part of the folder, which has to reach the disk too.
void AtomicFile::sync_folder() const {
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) refuse(errno);
  // EINVAL: a file system that cannot sync folders.
  if (::fsync(descriptor.number()) != 0 && errno != EINVAL) refuse(errno);
}

}  // namespace nowhere
