#include "report/scores_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "report/test_scores.h"

namespace nowhere {
namespace {

boost::json::object read_back(const Scores& scores) {
  return parse_json_object(pretty(scores_to_json(scores)), "it");
}

TEST(ScoresJson, EverythingIsThere) {
  const boost::json::object json = read_back(full_scores());
  EXPECT_EQ(json.at("model").at("epoch"), 12);
  EXPECT_EQ(json.at("data").at("held_out"), "sequences");
  EXPECT_EQ(json.at("data").at("trained_on").at("train").at("seen"), 1000);
  EXPECT_EQ(json.at("sliced_wasserstein").at("floor_between"), "sequences");
  EXPECT_EQ(json.at("parzen").at("real_photographs").at("photographs"), 1600);
  EXPECT_EQ(json.at("sliced_wasserstein").at("levels").as_array().size(), 2u);
  EXPECT_EQ(json.at("features").at("frechet").at("name"), "FD (model.ts)");
  EXPECT_EQ(json.at("memorisation").at(0).at("worst_pairs"), "pairs.png");
  EXPECT_EQ(json.at("collapse").at("birthday").at("support"), 108000.0);
  EXPECT_EQ(json.at("parzen").at("real_photographs").at("mean"), 3490.2);
  EXPECT_EQ(json.at("verdicts").as_array().size(), 5u);
}

TEST(ScoresJson, WhatIsNotFiniteIsNull) {
  Scores scores = full_scores();
  scores.parzen->test = {INFINITY, NAN};
  scores.model.images_seen = 0;  // unknown
  const boost::json::object json = read_back(scores);
  EXPECT_TRUE(json.at("parzen").at("test").at("mean").is_null());
  EXPECT_TRUE(json.at("parzen").at("test").at("standard_error").is_null());
  EXPECT_TRUE(json.at("model").at("images_seen").is_null());
}

TEST(ScoresJson, MissingPartsAreLeftOut) {
  const boost::json::object json = read_back({});
  for (const char* part : {"parzen", "sliced_wasserstein", "features", "memorisation", "collapse"})
    EXPECT_FALSE(json.contains(part)) << part;
  EXPECT_TRUE(json.at("verdicts").as_array().empty());
}

TEST(ScoresJson, WhatIsNotKnownOfTheDataIsSaid) {
  Scores scores = full_scores();
  scores.data.held_out = HeldOut::kUnknown;
  scores.data.unknown = "its photographs are gone";
  const boost::json::object data = read_back(scores).at("data").as_object();
  EXPECT_EQ(data.at("held_out"), "unknown");
  EXPECT_TRUE(data.at("trained_on").is_null());
  EXPECT_TRUE(std::string(data.at("held_out_note").as_string()).ends_with(": its photographs are gone"));
}

// 3 * 64 * 64 numbers, twice the range: 12288 ln 2 = 8517.39 nats.
TEST(ScoresJson, TheLikelihoodsStandInBothRangesOfPixels) {
  const boost::json::object parzen = read_back(full_scores()).at("parzen").as_object();
  EXPECT_EQ(parzen.at("pixel_range"), (boost::json::array{0, 1}));
  const boost::json::object& other = parzen.at("signed_pixels").as_object();
  EXPECT_EQ(other.at("pixel_range"), (boost::json::array{-1, 1}));
  EXPECT_NEAR(other.at("test").at("mean").as_double(), 3123.4 - 8517.3925, 1e-3);
  EXPECT_EQ(other.at("test").at("standard_error"), 21.7);
  EXPECT_NEAR(other.at("real_photographs").at("mean").as_double(), 3490.2 - 8517.3925, 1e-3);
  EXPECT_EQ(other.at("sigma"), 2 * 0.1668);
  EXPECT_EQ(other.at("real_photographs").at("sigma"), 2 * 0.1668);
}

TEST(ScoresJson, NamesThatAreNotUtf8AreReadBack) {
  Scores scores;
  scores.model.name = "a\xff\nb";
  EXPECT_EQ(read_back(scores).at("model").at("run"), "a\\xff\\x0ab");
}

TEST(ScoresJson, TheLikelihoodsAreReadBack) {
  Scores scores = full_scores();
  scores.parzen->epochs->points.push_back({3, {NAN, 1}});
  const auto likelihoods = likelihoods_from_json(read_back(scores), "it");
  ASSERT_TRUE(likelihoods && likelihoods->epochs && likelihoods->baseline);
  const auto& epochs = likelihoods->epochs;
  EXPECT_EQ(epochs->sigma, 0.1668);
  ASSERT_EQ(epochs->points.size(), 3u);
  EXPECT_EQ(epochs->points[1].epoch, 2);
  EXPECT_EQ(epochs->points[1].test.mean, 1271);
  EXPECT_EQ(epochs->points[1].test.error, 47);
  EXPECT_TRUE(std::isnan(epochs->points[2].test.mean));
  EXPECT_EQ(likelihoods->baseline->test.mean, 3490.2);
  EXPECT_EQ(likelihoods->baseline->test.error, 19.8);
  EXPECT_EQ(likelihoods->baseline->sigma, 0.1668);
}

TEST(ScoresJson, LikelihoodsThatWereNotMeasuredAreAbsent) {
  Scores scores = full_scores();
  scores.parzen->epochs.reset();
  scores.parzen->baseline.reset();
  const auto likelihoods = likelihoods_from_json(read_back(scores), "it");
  ASSERT_TRUE(likelihoods);
  EXPECT_FALSE(likelihoods->epochs);
  EXPECT_FALSE(likelihoods->baseline);
  EXPECT_FALSE(likelihoods_from_json({}, "it"));
}

TEST(ScoresJson, BrokenLikelihoodsAreDataErrors) {
  for (const char* text :
       {R"({"parzen": 1})", R"({"parzen": {"epochs": []}})", R"({"parzen": {"epochs": {}}})",
        R"({"parzen": {"real_photographs": 1}})", R"({"parzen": {"real_photographs": {"mean": "x"}}})",
        R"({"parzen": {"epochs": {"points": 1}}})", R"({"parzen": {"epochs": {"points": [1]}}})",
        R"({"parzen": {"epochs": {"points": [{"epoch": 1.5}]}}})",
        R"({"parzen": {"epochs": {"points": [{"epoch": 1, "mean": "x"}]}}})"}) {
    try {
      likelihoods_from_json(parse_json_object(text, "it"), "scores.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_TRUE(std::string(error.what()).starts_with("scores.json: ")) << error.what();
    }
  }
}

}  // namespace
}  // namespace nowhere
