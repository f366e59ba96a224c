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
    const Window window = choose_window(640, 200, 200, {.max_shift = 0.1}, random);
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

// How often each position of the crop was drawn.
std::vector<int> position_counts(int width, int height, int side, double max_shift, int draws) {
  std::vector<int> counts(static_cast<size_t>(width));
  for (int i = 0; i < draws; ++i) {
    Random random(2, Purpose::kAugment, {static_cast<uint64_t>(i)});
    const Window window = choose_window(width, height, side, {.max_shift = max_shift}, random);
    EXPECT_EQ(window.box.y, (height - side) / 2);
    ++counts.at(static_cast<size_t>(window.box.x));
  }
  return counts;
}

// Pearson's statistic divided by its degrees of freedom: around 1 when every position from `first` to `last`
// is equally likely, and no other is drawn.
double unevenness(const std::vector<int>& counts, int first, int last, int draws) {
  const double expected = static_cast<double>(draws) / (last - first + 1);
  double sum = 0;
  for (int x = 0; x < static_cast<int>(counts.size()); ++x) {
    const double count = counts[static_cast<size_t>(x)];
    if (x < first || x > last)
      EXPECT_EQ(count, 0) << x;
    else
      sum += (count - expected) * (count - expected) / expected;
  }
  return sum / (last - first);
}

TEST(Augment, PositionsAreUniformOverTheRoomThereIs) {
  constexpr int kDraws = 40'000;
  // A full-height square in a 4:3 frame has less room than the shift asks for.
  EXPECT_LT(unevenness(position_counts(640, 480, 480, 0.3, kDraws), 0, 160, kDraws), 1.5);
  EXPECT_LT(unevenness(position_counts(160, 120, 120, 0.3, kDraws), 0, 40, kDraws), 1.7);
  // A smaller one moves as far as it may.
  EXPECT_LT(unevenness(position_counts(640, 480, 256, 0.3, kDraws), 0, 384, kDraws), 1.4);
  EXPECT_LT(unevenness(position_counts(640, 480, 256, 0.1, kDraws), 128, 256, kDraws), 1.5);
}

TEST(Augment, CentreIsTheMiddle) {
  Random random(3, Purpose::kAugment);
  const Window wide = choose_window(160, 120, 120, {.crop = Crop::kCentre, .flip = false}, random);
  EXPECT_EQ(wide.box.x, 20);
  EXPECT_EQ(wide.box.y, 0);
  const Window tall = choose_window(100, 300, 100, {.crop = Crop::kRandom, .flip = false}, random);
  EXPECT_EQ(tall.box.x, 0);
  EXPECT_EQ(tall.box.y, 100);
}

TEST(Augment, FlagsAndSavedSettingsAreTheSame) {
  AugmentConfig config;
  Options options;
  config.declare(options, "; as in training");
  EXPECT_EQ(boost::json::serialize(options.to_json()),
            R"({"crop":"random","crop_size":"full","max_shift":3E-1,"flip":true})");
  EXPECT_TRUE(options.all()[0].help.ends_with("; as in training"));
  options.assign({{"flip", "no"}, {"crop", "centre"}, {"crop-size", "4x"}});
  options.from_json({{"max_shift", 0.1}}, "config.json");
  EXPECT_EQ(config.crop, Crop::kCentre);
  EXPECT_EQ(config.max_shift, 0.1);
  EXPECT_FALSE(config.flip);
  EXPECT_EQ(config.crop_size.side(480, 64), 256);
  options.from_json({{"crop_size", 300}}, "config.json");
  EXPECT_EQ(config.crop_size.side(480, 64), 300);
  EXPECT_THROW(options.assign({{"crop-size", "0"}}), Error);
  EXPECT_THROW(options.assign({{"max-shift", "0.6"}}), Error);
}

}  // namespace
}  // namespace nowhere
