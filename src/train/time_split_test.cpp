#include "train/time_split.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Bottleneck, NamesWhatToDo) {
  const auto says = [](const TimeSplit& split, bool packed, const char* what) {
    const std::string text = bottleneck(split, packed, true);
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

}  // namespace
}  // namespace nowhere
