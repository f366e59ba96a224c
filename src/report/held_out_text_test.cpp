#include "report/held_out_text.h"

#include <gtest/gtest.h>

#include "report/test_scores.h"

namespace nowhere {
namespace {

bool says(const JudgedData& data, const std::string& words) {
  return held_out_text(data).find(words) != std::string::npos;
}

TEST(HeldOutText, SaysWhatWasHeldOut) {
  JudgedData data = full_scores().data;
  EXPECT_TRUE(says(data, "whole sequences were held out")) << held_out_text(data);
  data.held_out = HeldOut::kFiles;
  EXPECT_TRUE(says(data, "single files were held out"));
  EXPECT_FALSE(says(data, "but for"));
  data.held_out_seen = {2, 400};
  EXPECT_TRUE(says(data, "but for 2 of 400"));
}

TEST(HeldOutText, SaysHowManyWereTrainedOn) {
  JudgedData data = full_scores().data;
  data.held_out = HeldOut::kNothing;
  data.held_out_seen = {400, 400};
  EXPECT_TRUE(says(data, "trained on all 400 validation and test photographs")) << held_out_text(data);
  data.held_out_seen = {1200, 4000};
  EXPECT_TRUE(says(data, "trained on 1,200 of 4,000 validation and test photographs"));
}

TEST(HeldOutText, NeverClaimsWhatIsNotKnown) {
  JudgedData data = full_scores().data;
  data.held_out = HeldOut::kUnknown;
  EXPECT_TRUE(says(data, "it is not known")) << held_out_text(data);
  EXPECT_FALSE(says(data, "held out"));
  data.unknown = "its photographs are gone";
  EXPECT_TRUE(says(data, ": its photographs are gone"));
  EXPECT_EQ(held_out_text({}), "");
}

TEST(HeldOutText, TellsOtherPhotographsFromThoseTrainedOn) {
  JudgedData data = full_scores().data;
  EXPECT_FALSE(trained_on_others(data));
  EXPECT_EQ(trained_on_others_text(data), "");
  data.train_seen = {0, 1000};
  EXPECT_TRUE(trained_on_others(data));
  data.held_out = HeldOut::kUnknown;
  EXPECT_FALSE(trained_on_others(data));
}

}  // namespace
}  // namespace nowhere
