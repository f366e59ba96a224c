#include "launch/launcher.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "core/signals.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class Launcher : public testing::Test {
 protected:
  // Every process runs the script with RANK and so on in its environment, in the test's folder.
  Launch script(const std::string& text, int processes = 3) {
    return {"/bin/sh", {"-c", "cd '" + folder_.path().string() + "'; " + text}, processes};
  }
  std::string read(const std::string& name) {
    std::ifstream file(folder_.path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TestFolder folder_;
};

TEST_F(Launcher, EachProcessKnowsItsPlace) {
  EXPECT_EQ(launch(script("echo $RANK $WORLD_SIZE $LOCAL_RANK $LOCAL_WORLD_SIZE $MASTER_ADDR > rank$RANK; "
                          "echo $MASTER_PORT > port$RANK; echo ${NOWHERE_LISTENING:-none} > fd$RANK")),
            0);
  EXPECT_EQ(read("rank0"), "0 3 0 3 127.0.0.1\n");
  EXPECT_EQ(read("rank2"), "2 3 2 3 127.0.0.1\n");
  EXPECT_EQ(read("port0"), read("port2"));
  EXPECT_GT(std::stoi(read("port0")), 0);
  EXPECT_GT(std::stoi(read("fd0")), 2);
  EXPECT_EQ(read("fd1"), "none\n");
}

TEST_F(Launcher, RankZeroInheritsTheSocketAndNobodyElse) {
  ASSERT_EQ(launch(script("ls -l /proc/self/fd > list$RANK; echo $NOWHERE_LISTENING > fd$RANK")), 0);
  const std::string entry = " " + std::to_string(std::stoi(read("fd0"))) + " -> socket:";
  EXPECT_NE(read("list0").find(entry), std::string::npos) << read("list0");
  EXPECT_EQ(read("list1").find("socket:"), std::string::npos) << read("list1");
}

TEST_F(Launcher, TheExitCodeIsThatOfTheOneThatFailed) {
  // The others wait for a file that never comes: only the launcher can end them.
  Launch failing = script("if [ $RANK = 1 ]; then exit 3; fi; while :; do sleep 0.05; done");
  failing.grace = std::chrono::milliseconds(50);
  EXPECT_EQ(launch(failing), 3);
  Launch killed = script("if [ $RANK = 2 ]; then kill -9 $$; fi; while :; do sleep 0.05; done");
  killed.grace = std::chrono::milliseconds(50);
  EXPECT_EQ(launch(killed), 128 + SIGKILL);
}

TEST_F(Launcher, AfterAFailureTheOthersMaySayWhatTheyMiss) {
  // A process that has ended and was not waited for still takes signals, so the others end after it was
  // found.
  EXPECT_EQ(launch(script("if [ $RANK = 1 ]; then echo $$ > new; mv new gone; exit 3; fi; "
                          "until [ -e gone ]; do sleep 0.01; done; "
                          "while kill -0 $(cat gone) 2>/dev/null; do sleep 0.01; done; "
                          "echo missed > said$RANK; exit 1")),
            3);
  EXPECT_EQ(read("said0"), "missed\n");
  EXPECT_EQ(read("said2"), "missed\n");
}

TEST_F(Launcher, AProgramThatIsNotThereIsAFailure) {
  EXPECT_EQ(launch({"/nowhere/to/be/found", {}, 2}), 127);
}

// The signal goes to a copy of this process, which launches: this one's handlers stay as they are.
TEST_F(Launcher, SignalsArePassedOnOnce) {
  const Launch launched = script(
      "trap 'echo x >> signals$RANK; exit 143' TERM; touch ready$RANK; "
      "while :; do sleep 0.02; done",
      2);
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    catch_stop_signals();
    ::_exit(launch(launched));
  }
  while (!fs::exists(folder_.path() / "ready0") || !fs::exists(folder_.path() / "ready1")) ::usleep(1000);
  ::kill(launcher, SIGTERM);
  int status = 0;
  ASSERT_EQ(::waitpid(launcher, &status, 0), launcher);
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_EQ(read("signals0"), "x\n");
  EXPECT_EQ(read("signals1"), "x\n");
}

}  // namespace
}  // namespace nowhere
