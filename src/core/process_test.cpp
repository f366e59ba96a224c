#include "core/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kLong{1};

Result<ProcessResult> run_shell(const std::string& script, const ProcessOptions& options = {}) {
  return run_process("/bin/sh", {"-c", script}, options);
}

TEST(FindProgram, LooksInTheFoldersOfThePath) {
  const TestFolder folder;
  write_file(folder.path() / "tool", std::string_view("#!/bin/sh\n"));
  const std::string path_variable = "/nowhere::" + folder.path().string();
  EXPECT_FALSE(find_program("tool", path_variable));  // not executable
  fs::permissions(folder.path() / "tool", fs::perms::owner_all);
  EXPECT_EQ(find_program("tool", path_variable), folder.path() / "tool");
  EXPECT_EQ(find_program((folder.path() / "tool").string(), ""), folder.path() / "tool");
  EXPECT_FALSE(find_program("tool", ""));
  EXPECT_FALSE(find_program(folder.path().string(), ""));
  EXPECT_TRUE(find_program("sh"));
}

TEST(RunProcess, PassesArgumentsWithoutAShell) {
  const auto result = run_process("/bin/echo", {"a b", "$HOME", ";"}).value();
  EXPECT_EQ(result.output, "a b $HOME ;\n");
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(result.succeeded());
}

TEST(RunProcess, KeepsOutputAndErrorsApart) {
  const auto result = run_shell("echo out; echo err >&2; exit 3").value();
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.succeeded());
}

TEST(RunProcess, TellsTheSignalThatEndedIt) {
  const auto result = run_shell("kill -9 $$").value();
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(result.succeeded());
}

TEST(RunProcess, TheInputIsReadToItsEnd) {
  std::string large(3'000'000, 'x');
  large += "end";
  EXPECT_EQ(run_process("/bin/cat", {}, {.input = large}).value().output, large);
  EXPECT_EQ(run_process("/bin/cat", {}).value().output, "");
}

TEST(RunProcess, InputThatIsNotReadDoesNoHarm) {
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE(run_process("/bin/true", {}, {.input = large}).value().succeeded());
}

TEST(RunProcess, OutputBeyondTheMaximumIsDropped) {
  const auto result =
      run_shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2", {.max_output = 64 * 1024}).value();
  EXPECT_EQ(result.output.size(), 64 * 1024u);
  EXPECT_EQ(result.errors.size(), 64 * 1024u);
  EXPECT_TRUE(result.succeeded());
}

TEST(RunProcess, AMissingProgramIsAFailure) {
  const auto result = run_process("/nowhere/tool", {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, "cannot run /nowhere/tool: no such file or directory");
}

TEST(RunProcess, IsKilledAtTheTimeLimitWithAllItStarted) {
  const auto result = run_shell("sleep 1000 & sleep 1000", {.time_limit = std::chrono::milliseconds(100)});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().reason.find("longer than 100 ms"), std::string::npos) << result.error().reason;
  // Also when its streams are closed.
  EXPECT_FALSE(run_shell("exec >&- 2>&-; exec sleep 1000", {.time_limit = std::chrono::milliseconds(100)}));
}

TEST(RunProcess, GivesUpWhenStopIsRequested) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(run_process("/bin/sleep", {"1000"}, {.time_limit = kLong, .stop = source.get_token()}));
}

// Of this process: all, and those that a program inherits.
std::pair<int, int> count_descriptors() {
  int all = 0, inherited = 0;
  for (int number = 0; number < 1024; ++number) {
    const int flags = ::fcntl(number, F_GETFD);
    all += flags >= 0;
    inherited += flags >= 0 && (flags & FD_CLOEXEC) == 0;
  }
  return {all, inherited};
}

TEST(RunProcess, PassesOnAndLeaksNoDescriptor) {
  const auto before = count_descriptors();
  // The shell has one more while it lists the folder.
  EXPECT_EQ(run_shell("cd /proc/self/fd; set -- *; echo $#").value().output,
            std::to_string(before.second + 1) + "\n");
  EXPECT_FALSE(run_process("/nowhere/tool", {}));
  EXPECT_EQ(count_descriptors(), before);
}

TEST(RunProcess, DoesNotInheritBlockedOrIgnoredSignals) {
  const auto previous = ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked, mask;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &mask);
  EXPECT_EQ(run_shell("kill -TERM $$").value().signal, SIGTERM);
  EXPECT_EQ(run_shell("kill -PIPE $$").value().signal, SIGPIPE);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  ::signal(SIGPIPE, previous);
}

TEST(SurvivesInChild, OnlyWhatReturns) {
  EXPECT_TRUE(survives_in_child([] {}));
  EXPECT_FALSE(survives_in_child([] { throw std::runtime_error("no"); }));
  EXPECT_FALSE(survives_in_child([] { ::raise(SIGKILL); }));
  EXPECT_FALSE(survives_in_child([] { ::_exit(2); }));
}

}  // namespace
}  // namespace nowhere
