#include "core/descriptor.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

namespace nowhere {

void Descriptor::close() {
  const int reason = errno;
  if (is_open()) ::close(release());
  errno = reason;
}

bool write_all(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace nowhere
