#include "observe/tool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "core/file.h"
#include "core/text.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostOutput = 64 * 1024;
constexpr std::chrono::milliseconds kSlice{50};  // how often a waiting thread looks whether it is to stop

// A child process with its stdout on a pipe. Killed, if need be, and reaped on leaving the scope.
class Child {
 public:
  static Result<Child> start(const fs::path& program, const std::vector<std::string>& arguments);
  Child(Child&& other) noexcept
      : process_(std::exchange(other.process_, -1)), output_(std::exchange(other.output_, -1)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (output_ >= 0) ::close(output_);
    if (process_ < 0) return;
    ::kill(-process_, SIGKILL);  // a group of its own: its children, if it has any, end with it
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  }

  // Reads for at most a slice of time. False at the end of the output.
  bool read_some(std::string& text) const;
  // The exit status when it has ended.
  std::optional<int> try_wait();

 private:
  Child(pid_t process, int output) : process_(process), output_(output) {}
  pid_t process_;
  int output_;
};

Result<Child> Child::start(const fs::path& program, const std::vector<std::string>& arguments) {
  std::string name = program.string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return Failure{system_reason(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, name.c_str(), &actions, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  if (error == 0) return Child(process, pipe[0]);
  ::close(pipe[0]);
  return Failure{fmt::format("cannot run {}: {}", printable(program), system_reason(error))};
}

bool Child::read_some(std::string& text) const {
  pollfd waiting{output_, POLLIN, 0};
  const int ready = ::poll(&waiting, 1, static_cast<int>(kSlice.count()));
  if (ready <= 0) return true;
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(output_, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR;
  text.append(buffer.data(), std::min(static_cast<size_t>(got), kMostOutput - text.size()));
  return got > 0;
}

std::optional<int> Child::try_wait() {
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return {};
  process_ = -1;
  // Without SIGCHLD nobody can tell how it ended; its output is all there is to go by.
  if (ended < 0) return 0;
  return status;
}

}  // namespace

std::optional<fs::path> find_program(std::string_view name, std::string_view path_variable) {
  const auto runs = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string_view::npos)
    return runs(name) ? std::optional(fs::path(name)) : std::nullopt;
  for (const std::string& folder : split_list(path_variable, ':'))
    if (fs::path path = fs::path(folder) / name; runs(path)) return path;
  return {};
}

Result<std::string> run_program(const fs::path& program, const std::vector<std::string>& arguments,
                                std::chrono::milliseconds limit, const std::stop_token& stop) {
  const auto deadline = Clock::now() + limit;
  auto child = Child::start(program, arguments);
  if (!child) return child.error();
  std::string text;
  std::optional<int> status;
  for (bool open = true; !status;) {
    if (stop.stop_requested()) return Failure{"asked to stop"};
    if (Clock::now() >= deadline)
      return Failure{fmt::format("{} took longer than {} ms", printable(program), limit.count())};
    if (open)
      open = child->read_some(text);
    else if (!(status = child->try_wait()))
      ::poll(nullptr, 0, 1);  // it closed its stdout and is about to end
  }
  if (*status != 0) return Failure{fmt::format("{} failed", printable(program))};
  return {boost::system::in_place_value, std::move(text)};  // a string could be a Failure as well
}

}  // namespace nowhere
