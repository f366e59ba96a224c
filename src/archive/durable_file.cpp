#include "archive/durable_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

constexpr size_t kBuffer = 1 << 20;

}  // namespace

DurableFile::DurableFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_ += fmt::format(".{}.tmp", ::getpid());
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) refuse(errno);
  stream_ = ::fdopen(descriptor, "wb");
  if (stream_ == nullptr) {
    const int reason = errno;
    ::close(descriptor);
    ::unlink(temporary_.c_str());
    refuse(reason);
  }
  std::setvbuf(stream_, nullptr, _IOFBF, kBuffer);
}

DurableFile::~DurableFile() {
  if (stream_ == nullptr) return;
  std::fclose(stream_);
  ::unlink(temporary_.c_str());
}

void DurableFile::refuse(int reason) const {
  throw Error(fmt::format("cannot write {}: {}", printable(path_), system_reason(reason)));
}

bool DurableFile::note(bool well) {
  if (!well && error_ == 0) error_ = errno != 0 ? errno : EIO;
  return well;
}

bool DurableFile::write(const void* data, size_t size) {
  return note(std::fwrite(data, 1, size, stream_) == size);
}

bool DurableFile::seek(int64_t offset, int whence) {
  return note(::fseeko(stream_, offset, whence) == 0);
}

int64_t DurableFile::tell() {
  const int64_t at = ::ftello(stream_);
  note(at >= 0);
  return at;
}

void DurableFile::commit() {
  if (error_ != 0) refuse(error_);
  if (std::fflush(stream_) != 0 || ::fsync(::fileno(stream_)) != 0) refuse(errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(errno);
  std::fclose(stream_);
  stream_ = nullptr;
  sync_folder();
}

// The name is in the folder, which the disk has to have too.
void DurableFile::sync_folder() const {
  const auto folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) refuse(errno);
  const int reason = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (reason != 0 && reason != EINVAL)
    refuse(reason);  // EINVAL: a file system that does not do this for folders
}

}  // namespace nowhere
