#include "core/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

namespace nowhere {
namespace {

Descriptor open_null() {
  return Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
}

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

TEST(Descriptor, ClosesWhenItGoesOutOfScope) {
  int number = -1;
  {
    const Descriptor file = open_null();
    number = file.number();
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, MovesItsOwnership) {
  Descriptor first = open_null();
  const int number = first.number();
  Descriptor second(std::move(first));
  EXPECT_FALSE(first.is_open());
  EXPECT_EQ(second.number(), number);
  Descriptor third;
  third = std::move(second);
  EXPECT_EQ(third.number(), number);
  EXPECT_EQ(third.release(), number);
  EXPECT_FALSE(third.is_open());
  EXPECT_TRUE(is_open(number));
  ::close(number);
}

TEST(Descriptor, ClosingKeepsErrno) {
  Descriptor file = open_null();
  errno = ENOSPC;
  file.close();
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_FALSE(file.is_open());
  file.close();  // a second time: nothing happens
}

TEST(Descriptor, WriteAllSaysWhyItFailed) {
  EXPECT_TRUE(write_all(open_null(), "text"));
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full.is_open());
  EXPECT_FALSE(write_all(full, "text"));
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace
}  // namespace nowhere
