#include "report/scores_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "report/test_scores.h"

namespace nowhere {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t widest(const std::string& text) {
  size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t columns = 0;
    for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
    most = std::max(most, columns);
  }
  return most;
}

TEST(ScoresText, FitsEightyColumns) {
  Scores scores = full_scores();
  scores.data.split_note =
      "no sequences held out: every 10th photograph was held out of the comparison, but the networks were "
      "trained on it";
  EXPECT_LE(widest(scores_text(scores)), 80u) << scores_text(scores);
  EXPECT_LE(widest(scores_text({})), 80u) << scores_text({});
}

TEST(ScoresText, SaysWhatWasJudged) {
  const std::string text = scores_text(full_scores());
  EXPECT_TRUE(text.starts_with("msls, epoch_12.pt\nepoch 12, 1,204,224 images seen, 64 × 64 px")) << text;
  EXPECT_TRUE(has(text, "1,600 training, 200 validation and 200 test"));
}

TEST(ScoresText, EveryLineHasItsVerdict) {
  const std::string text = scores_text(full_scores());
  EXPECT_TRUE(has(text, "  fair  FD (model.ts)"));
  EXPECT_TRUE(has(text, "5.0 times what photographs score"));
  EXPECT_TRUE(has(text,
                  "3,123 ± 22           3,490 ± 20\n"
                  "        367 below what real photographs score\n"));
}

TEST(ScoresText, MissingPartsSayHowToGetThem) {
  const std::string text = scores_text({});
  EXPECT_TRUE(has(text, "Through the eyes of a network: Not measured. There was no network")) << text;
}

TEST(ScoresText, ANameCannotCommandTheTerminal) {
  Scores scores = full_scores();
  scores.model.name = "\x1b[2Jx";
  scores.features->network = "\x1b]0;x";
  scores.memorisation[0].space = "\x1b[1m";
  scores.wasserstein->levels[0].name = "\x1b[1m";
  EXPECT_FALSE(has(scores_text(scores), "\x1b"));
}

}  // namespace
}  // namespace nowhere
