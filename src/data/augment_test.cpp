#include "data/augment.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace nowhere {
namespace {

TEST(Augment, WindowsStayInsideAndMoveAsFarAsAllowed) {
  int left = 1000, right = 0, flips = 0;
  constexpr int kDraws = 2000;
  for (int i = 0; i < kDraws; ++i) {
    Random random(1, Purpose::kAugment, {static_cast<uint64_t>(i)});
    const Window window = choose_window(640, 200, {.max_shift = 0.1}, random);
    EXPECT_EQ(window.box.width, 200);
    EXPECT_EQ(window.box.height, 200);
    EXPECT_EQ(window.box.y, 0);
    left = std::min(left, window.box.x);
    right = std::max(right, window.box.x);
    flips += window.flip;
  }
  EXPECT_NEAR(left, 220 - 64, 2);
  EXPECT_NEAR(right, 220 + 64, 2);
  EXPECT_NEAR(flips, kDraws / 2, 100);
}

TEST(Augment, AWideShiftStopsAtTheEdge) {
  for (int i = 0; i < 500; ++i) {
    Random random(2, Purpose::kAugment, {static_cast<uint64_t>(i)});
    const Window window = choose_window(160, 120, {.max_shift = 0.3}, random);
    EXPECT_GE(window.box.x, 0);
    EXPECT_LE(window.box.x + window.box.width, 160);
  }
}

TEST(Augment, CentreIsTheMiddle) {
  Random random(3, Purpose::kAugment);
  const Window wide = choose_window(160, 120, {.crop = Crop::kCentre, .flip = false}, random);
  EXPECT_EQ(wide.box.x, 20);
  EXPECT_EQ(wide.box.y, 0);
  const Window tall = choose_window(100, 300, {.crop = Crop::kRandom, .flip = false}, random);
  EXPECT_EQ(tall.box.x, 0);
  EXPECT_EQ(tall.box.y, 100);
}

TEST(Augment, FlagsAndSavedSettingsAreTheSame) {
  AugmentConfig config;
  Options options;
  config.declare(options, "; as in training");
  EXPECT_EQ(boost::json::serialize(options.to_json()), R"({"crop":"random","max_shift":3E-1,"flip":true})");
  EXPECT_TRUE(options.all()[0].help.ends_with("; as in training"));
  options.assign({{"flip", "no"}, {"crop", "centre"}});
  options.from_json({{"max_shift", 0.1}}, "config.json");
  EXPECT_EQ(config.crop, Crop::kCentre);
  EXPECT_EQ(config.max_shift, 0.1);
  EXPECT_FALSE(config.flip);
  EXPECT_THROW(options.assign({{"max-shift", "0.6"}}), Error);
}

}  // namespace
}  // namespace nowhere
