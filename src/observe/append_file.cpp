#include "observe/append_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/file.h"

namespace nowhere {

Result<AppendFile> AppendFile::open(const std::filesystem::path& path, Open how) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (how == Open::kNew ? O_EXCL : 0);
  Descriptor file(::open(path.c_str(), flags, 0644));
  if (!file.is_open())
    return Failure{fmt::format("cannot write {}: {}", printable(path), system_reason(errno))};
  return AppendFile(path, std::move(file));
}

bool AppendFile::append(std::string_view bytes) {
  struct stat before {};
  if (::fstat(file_.number(), &before) != 0) return fail(errno), false;
  if (write_all(file_, bytes)) return true;
  fail(errno);
  // Readers could not make sense of anything after half an entry.
  if (::ftruncate(file_.number(), before.st_size) != 0) fail(errno);
  return false;
}

void AppendFile::fail(int error_number) {
  if (failure_.empty())
    failure_ = fmt::format("cannot write {}: {}", printable(path_), system_reason(error_number));
}

}  // namespace nowhere
