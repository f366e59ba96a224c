#include "observe/append_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/file.h"

namespace nowhere {
namespace {

// True when all of it was taken; otherwise errno says why not.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Result<AppendFile> AppendFile::open(const std::filesystem::path& path, Open how) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (how == Open::kNew ? O_EXCL : 0);
  const int descriptor = ::open(path.c_str(), flags, 0644);
  if (descriptor < 0)
    return Failure{fmt::format("cannot write {}: {}", printable(path), system_reason(errno))};
  return AppendFile(path, descriptor);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      failure_(std::move(other.failure_)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(failure_, other.failure_);
  return *this;
}

bool AppendFile::append(std::string_view bytes) {
  struct stat before {};
  if (::fstat(descriptor_, &before) != 0) return fail(errno), false;
  if (write_all(descriptor_, bytes)) return true;
  fail(errno);
  // Half an entry would make readers stumble over everything that comes after it.
  if (::ftruncate(descriptor_, before.st_size) != 0) fail(errno);
  return false;
}

void AppendFile::fail(int error_number) {
  if (failure_.empty())
    failure_ = fmt::format("cannot write {}: {}", printable(path_), system_reason(error_number));
}

}  // namespace nowhere
