#include "core/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "core/descriptor.h"
#include "core/file.h"
#include "core/text.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollInterval{50};  // how often the time limit and `stop` are checked

struct Pipe {
  Descriptor read_end, write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Failure{system_reason(errno)};
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// A file in memory: unlike a pipe it takes all of the input at once, whether the program reads it or not.
Result<Descriptor> make_input(std::string_view text) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open() || !write_all(file, text) || ::lseek(file.number(), 0, SEEK_SET) != 0)
    return Failure{system_reason(errno)};
  return file;
}

// The caller's threads may block signals or ignore SIGPIPE; the program starts without that. Returns an
// errno.
int spawn(pid_t& process, const fs::path& program, const std::vector<std::string>& arguments, int input,
          int output, int errors) {
  std::string name = program.string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  sigset_t none, pipe;
  ::sigemptyset(&none);
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &pipe);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawn(&process, name.c_str(), &actions, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Reads what there is to read. Closes the descriptor at the end of the stream.
void read_some(Descriptor& stream, std::string& text, size_t max_size) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(stream.number(), buffer.data(), buffer.size());
  if (got > 0)
    text.append(buffer.data(), std::min(static_cast<size_t>(got), max_size - text.size()));
  else if (got == 0 || errno != EINTR)
    stream.close();
}

// A running program with its stdout and stderr on pipes. Killed, if need be, and reaped on destruction.
class Child {
 public:
  static Result<Child> start(const fs::path& program, const std::vector<std::string>& arguments,
                             std::string_view input);
  Child(Child&& other) noexcept
      : process_(std::exchange(other.process_, -1)),
        output_(std::move(other.output_)),
        errors_(std::move(other.errors_)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (process_ < 0) return;
    ::kill(-process_, SIGKILL);  // its process group: what it started ends with it
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  }

  // Waits for at most kPollInterval. True when the program has ended and `result` is complete.
  bool advance(ProcessResult& result, size_t max_output);

 private:
  Child(pid_t process, Descriptor output, Descriptor errors)
      : process_(process), output_(std::move(output)), errors_(std::move(errors)) {}
  bool try_wait(ProcessResult& result);

  pid_t process_;
  Descriptor output_, errors_;
};

Result<Child> Child::start(const fs::path& program, const std::vector<std::string>& arguments,
                           std::string_view input) {
  // Opened in this order, no descriptor is overwritten in the child before it is copied, whichever numbers
  // are free.
  auto in = make_input(input);
  if (!in) return in.error();
  auto out = make_pipe();
  if (!out) return out.error();
  auto err = make_pipe();
  if (!err) return err.error();
  pid_t process = -1;
  const int error =
      spawn(process, program, arguments, in->number(), out->write_end.number(), err->write_end.number());
  if (error != 0) return Failure{fmt::format("cannot run {}: {}", printable(program), system_reason(error))};
  return Child(process, std::move(out->read_end), std::move(err->read_end));
}

bool Child::advance(ProcessResult& result, size_t max_output) {
  if (!output_.is_open() && !errors_.is_open()) {
    if (try_wait(result)) return true;
    ::poll(nullptr, 0, 1);  // it closed its streams and is about to end
    return false;
  }
  // poll ignores an entry whose descriptor is negative.
  std::array<pollfd, 2> streams{{{output_.number(), POLLIN, 0}, {errors_.number(), POLLIN, 0}}};
  if (::poll(streams.data(), streams.size(), static_cast<int>(kPollInterval.count())) <= 0) return false;
  if (streams[0].revents != 0) read_some(output_, result.output, max_output);
  if (streams[1].revents != 0) read_some(errors_, result.errors, max_output);
  return false;
}

bool Child::try_wait(ProcessResult& result) {
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  process_ = -1;
  // Where SIGCHLD is ignored nobody can tell how it ended: only its output is known then.
  if (ended < 0) return true;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return true;
}

}  // namespace

std::optional<fs::path> find_program(std::string_view name, std::string_view path_variable) {
  const auto is_executable = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string_view::npos)
    return is_executable(name) ? std::optional(fs::path(name)) : std::nullopt;
  for (const std::string& folder : split_list(path_variable, ':'))
    if (fs::path path = fs::path(folder) / name; is_executable(path)) return path;
  return {};
}

std::optional<fs::path> find_program(std::string_view name) {
  const char* path_variable = std::getenv("PATH");
  return find_program(name, path_variable == nullptr ? "" : path_variable);
}

Result<ProcessResult> run_process(const fs::path& program, const std::vector<std::string>& arguments,
                                  const ProcessOptions& options) {
  const auto start = Clock::now();
  auto child = Child::start(program, arguments, options.input);
  if (!child) return child.error();
  ProcessResult result;
  while (!child->advance(result, options.max_output)) {
    if (options.stop.stop_requested()) return Failure{fmt::format("{} was stopped", printable(program))};
    if (options.time_limit && Clock::now() - start >= *options.time_limit)
      return Failure{
          fmt::format("{} took longer than {} ms", printable(program), options.time_limit->count())};
  }
  return result;
}

bool survives_in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    try {
      work();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace nowhere
