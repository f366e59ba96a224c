#include "core/status_line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "core/descriptor.h"

namespace nowhere {
namespace {

// While it lives, stderr goes elsewhere.
class RedirectedErrors {
 public:
  explicit RedirectedErrors(int target) : saved_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) {
    ::dup2(target, STDERR_FILENO);
  }
  ~RedirectedErrors() { ::dup2(saved_.number(), STDERR_FILENO); }
  RedirectedErrors(const RedirectedErrors&) = delete;
  RedirectedErrors& operator=(const RedirectedErrors&) = delete;

 private:
  Descriptor saved_;
};

// Up to `size` bytes. A terminal hands them over piece by piece; what does not come in time is given up.
std::string read_from(const Descriptor& source, size_t size) {
  constexpr int kPatienceMs = 10'000;
  std::string text;
  pollfd readable{.fd = source.number(), .events = POLLIN, .revents = 0};
  while (text.size() < size && ::poll(&readable, 1, kPatienceMs) > 0) {
    std::array<char, 4096> buffer;
    const ssize_t got = ::read(source.number(), buffer.data(), buffer.size());
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<size_t>(got));
  }
  return text;
}

class StatusLineOnTerminal : public testing::Test {
 protected:
  void SetUp() override {
    program_ = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!program_.is_open() || ::grantpt(program_.number()) != 0 || ::unlockpt(program_.number()) != 0)
      GTEST_SKIP() << "no pseudo-terminal";
    terminal_ = Descriptor(::open(::ptsname(program_.number()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    const winsize size{.ws_row = 24, .ws_col = 11, .ws_xpixel = 0, .ws_ypixel = 0};
    ASSERT_EQ(::ioctl(terminal_.number(), TIOCSWINSZ, &size), 0);
  }

  Descriptor program_, terminal_;  // what is written to the second is read from the first
};

TEST_F(StatusLineOnTerminal, IsCutToTheWidthAndCleared) {
  {
    const RedirectedErrors redirected(terminal_.number());
    StatusLine line;
    EXPECT_TRUE(line.on_terminal());
    line.draw("packing ━━━━━ 50%");
    line.draw("done");
  }
  const std::string expected = "\r\033[Kpacking ━━\r\033[Kdone\r\033[K";
  EXPECT_EQ(read_from(program_, expected.size()), expected);
}

TEST_F(StatusLineOnTerminal, WhatWasNotDrawnIsNotCleared) {
  {
    const RedirectedErrors redirected(terminal_.number());
    StatusLine line;
    line.clear();
    line.draw("x");
    line.clear();
  }
  const std::string expected = "\r\033[Kx\r\033[K";
  EXPECT_EQ(read_from(program_, expected.size()), expected);
}

TEST(StatusLine, IsSilentWithoutATerminal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const Descriptor read_end(ends[0]), write_end(ends[1]);
  {
    const RedirectedErrors redirected(write_end.number());
    StatusLine line;
    EXPECT_FALSE(line.on_terminal());
    EXPECT_FALSE(line.due());
    line.draw("text");
  }
  std::array<char, 16> buffer;
  EXPECT_EQ(::read(read_end.number(), buffer.data(), buffer.size()), -1);  // nothing is there
}

}  // namespace
}  // namespace nowhere
