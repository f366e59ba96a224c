#include "plot/gnuplot.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sstream>
#include <string>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {

namespace {

// A file in memory. Where pipes could block both sides or raise SIGPIPE, the child reads and writes these.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("plot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(fmt::format("no memory for a plot: {}", system_reason(errno)));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  void fill(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw Error(fmt::format("no memory for a plot: {}", system_reason(errno)));
      text.remove_prefix(static_cast<size_t>(written));
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> bytes(static_cast<size_t>(lseek(descriptor_, 0, SEEK_END)));
    size_t have = 0;
    while (have < bytes.size()) {
      const ssize_t got =
          pread(descriptor_, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      have += static_cast<size_t>(got);
    }
    bytes.resize(have);
    return bytes;
  }

 private:
  int descriptor_;
};

// gnuplot repeats the faulty command, puts a caret below it, then "line N: the reason"; other failures end in theirs.
std::string reason(const MemoryFile& file) {
  const auto bytes = file.bytes();
  std::istringstream lines(std::string(bytes.begin(), bytes.end()));
  std::string line, last = "no reason given";
  while (std::getline(lines, line)) {
    const size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos) continue;
    last = printable_text(line.substr(start));
    const size_t colon = last.find(": ");
    if (last.starts_with("line ") && colon != std::string::npos) return last.substr(colon + 2);
  }
  return last;
}

// In a process group of its own: Ctrl-C asks this program to finish its work, and must not end its helper. The
// caller's threads may block signals or ignore SIGPIPE; the child starts without that.
pid_t spawn(const MemoryFile& in, const MemoryFile& out, const MemoryFile& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  // -d: nobody's own settings; -: commands from the standard input.
  std::string name = "gnuplot", defaults = "-d", input = "-";
  char* arguments[] = {name.data(), defaults.data(), input.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT) throw Error("gnuplot is not installed; apt install gnuplot-nox");
  if (failed != 0) throw Error(fmt::format("cannot start gnuplot: {}", system_reason(failed)));
  return child;
}

}  // namespace

std::vector<uint8_t> run_gnuplot(std::string_view script) {
  MemoryFile in, out,
      err;  // opened in this order, no descriptor is overwritten before the child has taken it
  in.fill(script);
  const pid_t child = spawn(in, out, err);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Error(fmt::format("lost gnuplot: {}", system_reason(errno)));
  if (WIFSIGNALED(status))
    throw Error(fmt::format("gnuplot was ended by signal {}: {}", WTERMSIG(status), reason(err)));
  if (WEXITSTATUS(status) != 0) throw Error(fmt::format("gnuplot failed: {}", reason(err)));
  return out.bytes();
}

}  // namespace nowhere
