#include "train/budget.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

// A machine whose first step takes 3 s and whose others take `seconds`, every fourth twice as long: the steps
// that are planned in all.
uint64_t planned_on(double seconds, double budget) {
  Budget plan(budget, 4);
  double elapsed = 3;
  for (uint64_t step = 1;; ++step) {
    if (const auto left = plan.steps_left(step, elapsed)) return step + *left;
    elapsed += (step + 1) % 4 == 0 ? 2 * seconds : seconds;
  }
}

TEST(Budget, FillsTheTimeOnAFastAndOnASlowMachine) {
  // A round of four takes 5 times as long as a plain step; 2 % are kept in reserve.
  EXPECT_NEAR(static_cast<double>(planned_on(0.1, 300)), (0.98 * 300 - 3) / 0.5 * 4, 4);
  EXPECT_NEAR(static_cast<double>(planned_on(2, 300)), (0.98 * 300 - 3) / 10 * 4, 4);
}

TEST(Budget, ATimeThatIsUpLeavesNothing) {
  Budget plan(1, 1);
  EXPECT_EQ(plan.steps_left(1, 2), 0u);
}

TEST(Budget, MeasuresBeforeItPlans) {
  Budget plan(1000, 1);
  EXPECT_FALSE(plan.steps_left(1, 1));
  EXPECT_FALSE(plan.steps_left(2, 2));
  EXPECT_TRUE(plan.steps_left(50, 50));
}

TEST(Budget, EndsWithAnEpochWhereThereAreMany) {
  EXPECT_EQ(planned_steps(10, 2000, 43, 100'000), 2010 / 43 * 43u);
  EXPECT_EQ(planned_steps(10, 100, 43, 100'000), 110u);     // two and a half: rounding would lose a fifth
  EXPECT_EQ(planned_steps(10, 280, 43, 100'000), 7 * 43u);  // 6.7 of them
  EXPECT_EQ(planned_steps(10, 2000, 43, 430), 430u);        // the last epoch comes first
  EXPECT_EQ(planned_steps(900, 3, 43, 100'000), 903u);      // never behind where it is
}

}  // namespace
}  // namespace nowhere
