// A full disk for tests: as long as it exists, files of this process cannot grow beyond a size.
#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace nowhere {

class TestFileLimit {
 public:
  explicit TestFileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    previous_handler_ = ::signal(SIGXFSZ, SIG_IGN);  // the write fails instead of ending the process
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~TestFileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, previous_handler_);
  }
  TestFileLimit(const TestFileLimit&) = delete;
  TestFileLimit& operator=(const TestFileLimit&) = delete;

 private:
  rlimit before_{};
  void (*previous_handler_)(int) = nullptr;
};

}  // namespace nowhere
