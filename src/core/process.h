// Other programs, and functions that may crash, in processes of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace nowhere {

// The first executable of that name in the folders of `path_variable` ("/usr/bin:/bin"). A name with a slash
// is taken as it is.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view path_variable);
// In the folders of this process's PATH.
std::optional<std::filesystem::path> find_program(std::string_view name);

struct ProcessOptions {
  std::string_view input = {};                               // what the program reads from stdin
  std::optional<std::chrono::milliseconds> time_limit = {};  // without: as long as it takes
  size_t max_output = size_t{256} << 20;                     // bytes of each stream; the rest is dropped
  std::stop_token stop = {};                                 // asks to give up
};

struct ProcessResult {
  int exit_code = 0;
  int signal = 0;  // that ended it; 0: it ended by itself
  std::string output, errors;

  bool succeeded() const { return exit_code == 0 && signal == 0; }
};

// Runs the program without a shell and waits for its end. It runs in a process group of its own, so that
// Ctrl-C reaches this program only. A failure when it cannot be started, or has not ended when the time is
// over or `stop` is requested: it is killed then, together with the processes it started. Any thread may call
// it.
Result<ProcessResult> run_process(const std::filesystem::path& program,
                                  const std::vector<std::string>& arguments,
                                  const ProcessOptions& options = {});

// Calls `work` in a copy of this process and tells whether it returned: false when it threw or the copy was
// killed. The copy has the calling thread only, so call it before other threads exist.
bool survives_in_child(const std::function<void()>& work);

}  // namespace nowhere
