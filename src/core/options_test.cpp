#include "core/options.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace nowhere {
namespace {

struct Settings {
  bool loud = false;
  int height = 120;
  double share = 0.5;
  uint64_t seed = 0;
  std::vector<std::string> words;
  int codec = 0;
  Options options;

  Settings() {
    options.flag("loud", loud, "be loud");
    options.integer("height", height, 16, 4096, "pixels");
    options.number("share", share, 0, 1, "of all");
    options.seed("seed", seed, "of the draw");
    options.words("words", words, "A,B", "some");
    options.choice("codec", codec, {{"raw", 0}, {"jpeg", 1}}, "how");
  }
  bool set(const std::string& name, const std::string& text) {
    for (const Option& option : options.all())
      if (option.name == name) return option.set(text);
    return false;
  }
};

TEST(Options, TakeWhatIsInRange) {
  Settings s;
  EXPECT_TRUE(s.set("height", "64"));
  EXPECT_TRUE(s.set("share", "0.25"));
  EXPECT_TRUE(s.set("seed", "18446744073709551615"));
  EXPECT_TRUE(s.set("words", "a,b"));
  EXPECT_TRUE(s.set("codec", "jpeg"));
  EXPECT_TRUE(s.set("loud", "true"));
  EXPECT_EQ(boost::json::serialize(s.options.to_json()),
            R"({"loud":true,"height":64,"share":2.5E-1,"seed":18446744073709551615,)"
            R"("words":["a","b"],"codec":"jpeg"})");
}

TEST(Options, RefuseWhatIsOutOfRange) {
  Settings s;
  for (const char* bad : {"15", "4097", "x", "", "64.5", "-1"}) EXPECT_FALSE(s.set("height", bad)) << bad;
  for (const char* bad : {"-0.1", "1.1", "nan", ""}) EXPECT_FALSE(s.set("share", bad)) << bad;
  EXPECT_FALSE(s.set("seed", "-1"));
  EXPECT_FALSE(s.set("words", ","));
  EXPECT_FALSE(s.set("codec", "gif"));
  EXPECT_EQ(s.height, 120);
}

TEST(Options, KnowTheirRangeAndDefault) {
  Settings s;
  const auto& all = s.options.all();
  EXPECT_EQ(all[1].accepts, "a whole number from 16 to 4096");
  EXPECT_EQ(all[1].default_text, "120");
  EXPECT_EQ(all[3].default_text, "");  // a zero that means "none" says nothing
  EXPECT_EQ(all[5].accepts, "one of raw, jpeg");
  EXPECT_EQ(all[5].default_text, "raw");
}

// What was renamed is still understood where the old name was written down.
TEST(Options, ALongAliasIsAKeyOfJsonToo) {
  int64_t most = 0;
  Options options;
  options.integer("max-per-sequence-epoch", most, 0, 1000, "frames");
  options.alias("--max-per-drive");
  options.alias("-mpd");
  options.from_json({{"max_per_drive", 7}}, "config.json");
  EXPECT_EQ(most, 7);
  options.from_json({{"max-per-drive", 8}}, "config.json");
  EXPECT_EQ(most, 8);
  EXPECT_EQ(boost::json::serialize(options.to_json()), R"({"max_per_sequence_epoch":8})");
  EXPECT_THROW(options.from_json({{"mpd", 9}}, "config.json"), Error);
  EXPECT_THROW(options.from_json({{"max_per_drive", 1001}}, "config.json"), Error);
}

TEST(Options, DefaultsOfYesAndNoReadAsTheyAreGiven) {
  bool on = true, off = false;
  Options options;
  options.yes_no("on", on, "");
  options.yes_no("off", off, "");
  EXPECT_EQ(options.all()[0].default_text, "yes");
  EXPECT_EQ(options.all()[1].default_text, "no");
}

}  // namespace
}  // namespace nowhere
