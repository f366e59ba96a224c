#include "report/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace nowhere {
namespace {

TEST(NumberText, ThreeSignificantDigits) {
  EXPECT_EQ(number_text(12345.67), "12,346");
  EXPECT_EQ(number_text(-9123.4), "-9,123");
  EXPECT_EQ(number_text(64.2), "64.2");
  EXPECT_EQ(number_text(0.03121), "0.0312");
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(1e-30), "1e-30");
  EXPECT_EQ(number_text(1e30).size(), 31u);
}

TEST(NumberText, WhatIsNotFiniteIsADash) {
  EXPECT_EQ(number_text(kNotMeasured), "–");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "–");
  EXPECT_EQ(percent_text(kNotMeasured), "–");
  EXPECT_EQ(ratio_text(kNotMeasured), "–");
  EXPECT_EQ(number_text(MeanScore{}), "–");
}

TEST(NumberText, TheErrorSaysHowManyDigits) {
  EXPECT_EQ(number_text({3123.4, 21.7}), "3,123 ± 22");
  EXPECT_EQ(number_text({0.0412, 0.00314}), "0.0412 ± 0.0031");
  EXPECT_EQ(number_text({-0.5, 12}), "0 ± 12");
  EXPECT_EQ(number_text({3123.4, kNotMeasured}), "3,123");
}

TEST(NumberText, Percent) {
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.0004), "0.04 %");
  EXPECT_EQ(percent_text(0.021), "2.1 %");
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(ratio_text(0.6149), "0.61");
}

}  // namespace
}  // namespace nowhere
