#include "observe/time_split.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Bottleneck, NamesWhatToDo) {
  const auto says = [](const TimeSplit& split, bool packed, const char* what) {
    const std::string text = bottleneck(split, packed, true).sentence();
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  says({.waiting = 62, .device = 38, .decoding = 9, .resizing = 1}, false,
       "62% waiting for JPEG decoding: pack the data");
  says({.waiting = 62, .device = 38, .reading = 9, .resizing = 1}, false, "the disk: pack the data");
  says({.waiting = 62, .device = 38, .reading = 9, .resizing = 1}, true,
       "put the packed file on a local disk");
  says({.waiting = 62, .device = 38, .resizing = 9}, true, "--height");
  says({.device = 80, .checkpoint = 20}, true, "20% saving checkpoints");
  says({.waiting = 1, .device = 99}, true, "99% computing");
}

TEST(Bottleneck, TheFindingIsShort) {
  const TimeSplit computing{.device = 99, .other = 1};
  EXPECT_EQ(bottleneck(computing, true, true).finding, "99% computing: the CPU is the limit");
  EXPECT_EQ(
      bottleneck(computing, true, true).sentence(),
      "99% computing: the CPU is the limit; a GPU, a smaller --img-size or a smaller model goes faster");
  EXPECT_EQ(bottleneck(computing, true, false).sentence(),
            "99% computing: the accelerator is the limit, and loading keeps up with it");
  const TimeSplit starved{.waiting = 30, .device = 10, .reading = 7};
  EXPECT_EQ(bottleneck(starved, false, false).finding, "75% waiting for the disk");
}

TEST(TimeSplit, IsReadBackAndAddedUp) {
  const TimeSplit split{
      .waiting = 1, .device = 2, .checkpoint = 3, .other = 4, .reading = 5, .decoding = 6, .resizing = 7};
  TimeSplit twice = TimeSplit::from_json(split.to_json());
  twice += split;
  EXPECT_EQ((twice - split).to_json(), split.to_json());
  EXPECT_EQ(TimeSplit::from_json({{"device", "soon"}, {"waiting", nullptr}, {"other", 2}}).total(), 2);
}

}  // namespace
}  // namespace nowhere
