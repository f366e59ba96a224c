#include "image/crop_size.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(CropSize, ReadsSharesPixelsAndMultiplesOfASample) {
  EXPECT_EQ(CropSize::parse("full"), CropSize());
  EXPECT_EQ(CropSize::parse("1"), CropSize());
  EXPECT_EQ(CropSize::parse("0.5")->side(480, 64), 240);
  EXPECT_EQ(CropSize::parse("256")->side(480, 64), 256);
  EXPECT_EQ(CropSize::parse("4x")->side(480, 64), 256);
  EXPECT_EQ(CropSize::parse("4x")->side(480, 100), 400);
  EXPECT_EQ(CropSize().side(480, 64), 480);
}

TEST(CropSize, StaysWithinThePhotograph) {
  EXPECT_EQ(CropSize::parse("4x")->side(480, 128), 480);
  EXPECT_EQ(CropSize::parse("1000")->side(480, 64), 480);
  EXPECT_EQ(CropSize::parse("0.0001")->side(480, 64), 1);
}

TEST(CropSize, IsWrittenAsItIsRead) {
  for (const char* text : {"full", "0.5", "0.533", "256", "4x", "2.5x"})
    EXPECT_EQ(CropSize::parse(text)->text(), text);
}

TEST(CropSize, RefusesWhatIsNoSize) {
  for (const char* text : {"", "x", "0", "-1", "0x", "half", "256.5", "1e9", "nan", "inf", "4xx", "4 x"})
    EXPECT_FALSE(CropSize::parse(text)) << text;
}

}  // namespace
}  // namespace nowhere
