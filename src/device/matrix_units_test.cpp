#include "device/matrix_units.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

namespace nowhere {
namespace {

TEST(MatrixUnits, CoresOnWhichTheWorkDiesAreNamed) {
  EXPECT_TRUE(failing_cores([] {}).empty());
  const int here = ::sched_getcpu();
  const auto failing = failing_cores([here] {
    if (::sched_getcpu() == here) std::abort();
  });
  EXPECT_EQ(failing, std::vector<int>{here});
}

TEST(MatrixUnits, AreDescribedInWords) {
  EXPECT_EQ(text_of({}), "none (no AMX): products are float32");
  EXPECT_NE(text_of({.announced = true, .work = true}).find("AMX works"), std::string::npos);
  EXPECT_EQ(text_of({.announced = true, .broken_cores = {1, 3}}),
            "AMX is announced, but a probe died on core 1, 3: it is not used");
  EXPECT_EQ(text_of({.announced = true}),
            "AMX is announced, but a probe died on several threads together: it is not used");
}

}  // namespace
}  // namespace nowhere
