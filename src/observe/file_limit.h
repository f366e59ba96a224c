// A full disk for tests: while it lives, files of this process cannot grow beyond a size.
#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace nowhere {

class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    previous_handler_ = ::signal(SIGXFSZ, SIG_IGN);  // the write fails, instead of the process
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, previous_handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*previous_handler_)(int) = nullptr;
};

}  // namespace nowhere
