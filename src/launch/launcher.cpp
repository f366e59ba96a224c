#include "launch/launcher.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "core/descriptor.h"
#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"

namespace nowhere {
namespace {

using Clock = std::chrono::steady_clock;

constexpr timespec kPollInterval{.tv_sec = 0, .tv_nsec = 50'000'000};  // for the end of the grace

// A socket that listens on a free port of the loopback address. Rank 0 inherits it, so that nobody can take
// the port in between.
struct Meeting {
  Descriptor socket;
  uint16_t port = 0;
};

Meeting open_meeting() {
  Meeting meeting{Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (!meeting.socket.is_open() || ::bind(meeting.socket.number(), plain, length) != 0 ||
      ::listen(meeting.socket.number(), SOMAXCONN) != 0 ||
      ::getsockname(meeting.socket.number(), plain, &length) != 0)
    throw Error(fmt::format("no port on this machine for the processes to meet: {}", system_reason(errno)));
  meeting.port = ntohs(address.sin_port);
  return meeting;
}

// Variables of a group that this process may have inherited, and that the new processes have of their own.
bool is_replaced(std::string_view variable) {
  for (const std::string_view name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR",
                                      "MASTER_PORT", "NOWHERE_LISTENING"})
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with("=")) return true;
  return false;
}

std::vector<std::string> environment_of(int rank, int processes, const Meeting& meeting) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_replaced(*variable)) variables.emplace_back(*variable);
  for (const char* name : {"RANK", "LOCAL_RANK"}) variables.push_back(fmt::format("{}={}", name, rank));
  for (const char* name : {"WORLD_SIZE", "LOCAL_WORLD_SIZE"})
    variables.push_back(fmt::format("{}={}", name, processes));
  variables.emplace_back("MASTER_ADDR=127.0.0.1");
  variables.push_back(fmt::format("MASTER_PORT={}", meeting.port));
  if (rank == 0) variables.push_back(fmt::format("NOWHERE_LISTENING={}", meeting.socket.number()));
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

sigset_t child_signal() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  return signals;
}

// In a process group of its own, so that Ctrl-C reaches the launcher alone and is passed on once.
pid_t start(const Launch& launch, int rank, const Meeting& meeting) {
  std::vector<std::string> words{launch.program.string()};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<std::string> variables = environment_of(rank, launch.processes, meeting);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw Error(fmt::format("cannot start another process: {}", system_reason(errno)));
  if (child > 0) return child;
  // Only calls that are safe after fork from here on.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);  // it ended before prctl
  if (rank == 0) ::fcntl(meeting.socket.number(), F_SETFD, 0);
  const sigset_t children = child_signal();
  ::sigprocmask(SIG_UNBLOCK, &children, nullptr);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

class Processes {
 public:
  explicit Processes(const Launch& launch) : launch_(launch) {
    const Meeting meeting = open_meeting();
    // Blocked, so that it can be waited for: whoever ends first is found first.
    const sigset_t children = child_signal();
    ::sigprocmask(SIG_BLOCK, &children, &mask_);
    try {
      for (int rank = 0; rank < launch.processes; ++rank) running_.push_back(start(launch, rank, meeting));
    } catch (...) {
      end_all();
      ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
      throw;
    }
  }
  ~Processes() {
    end_all();
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  int wait() {
    while (!running_.empty()) {
      if (!reap()) {
        const sigset_t children = child_signal();
        ::sigtimedwait(&children, nullptr, &kPollInterval);
      }
      pass_signal_on();
      if (deadline_ && Clock::now() > *deadline_) end_all();
    }
    return code_;
  }

 private:
  // Whether one has ended.
  bool reap() {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    if (ended <= 0) return false;
    std::erase(running_, ended);
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (code == 0) return true;
    if (code_ == 0) code_ = code;
    // Those that stop because they were asked to are saving, and take the time they need.
    const bool stopped =
        WIFEXITED(status) && (code == 128 + SIGINT || code == 128 + SIGTERM || code == 128 + SIGHUP);
    if (!stopped && !deadline_) deadline_ = Clock::now() + launch_.grace;
    return true;
  }

  void pass_signal_on() {
    const int signal = stop_signal();
    if (signal == 0 || passed_on_) return;
    passed_on_ = true;
    for (const pid_t process : running_) ::kill(process, signal);
  }

  void end_all() {
    for (const pid_t process : running_) ::kill(process, SIGKILL);
    for (const pid_t process : running_) {
      int status = 0;
      while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    }
    running_.clear();
  }

  const Launch& launch_;
  sigset_t mask_{};  // as it was before
  std::vector<pid_t> running_;
  std::optional<Clock::time_point> deadline_;
  int code_ = 0;
  bool passed_on_ = false;
};

}  // namespace

int launch(const Launch& launch) {
  return Processes(launch).wait();
}

}  // namespace nowhere
