#include "serve/picture_request.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(PictureRequest, TheEndsOfAnArcAreTheSeedsThemselves) {
  const auto of_5 = still_request({.seed = 5}, PictureFormat::kPng);
  const auto of_7 = still_request({.seed = 7}, PictureFormat::kPng);
  EXPECT_EQ(still_request({.seed = 5, .towards = 7, .t = 0}, PictureFormat::kPng).canonical, of_5.canonical);
  EXPECT_EQ(still_request({.seed = 5, .towards = 7, .t = 1}, PictureFormat::kPng).canonical, of_7.canonical);
  EXPECT_EQ(still_request({.seed = 5, .neighbour = 3, .angle = 0}, PictureFormat::kPng).canonical,
            of_5.canonical);
  EXPECT_EQ(latent_of(still_request({.seed = 5, .towards = 7, .t = 1}, PictureFormat::kPng).points[0], 8),
            seed_latent(7, 8));
}

TEST(PictureRequest, DifferentPicturesHaveDifferentNames) {
  std::vector<PictureRequest> different = {
      still_request({.seed = 5}, PictureFormat::kPng),
      still_request({.seed = 5}, PictureFormat::kWebp),
      still_request({.seed = 5, .truncation = 0.5}, PictureFormat::kPng),
      still_request({.seed = 5, .towards = 7, .t = 0.5}, PictureFormat::kPng),
      still_request({.seed = 5, .neighbour = 7, .angle = 0.5}, PictureFormat::kPng),
      grid_request({5}, 0, 1, PictureFormat::kPng),
      grid_request({1, 2}, 1, 1, PictureFormat::kPng),
      grid_request({1, 2}, 2, 1, PictureFormat::kPng),
      grid_request({12}, 1, 1, PictureFormat::kPng),
      morph_request({1, 2}, 4, 100, 1, PictureFormat::kWebp),
      morph_request({1, 2}, 4, 101, 1, PictureFormat::kWebp),
      morph_request({1, 2}, 5, 100, 1, PictureFormat::kWebp)};
  for (size_t i = 0; i < different.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(different[i].canonical, different[j].canonical);
  EXPECT_EQ(grid_request({1, 2, 3}, 9, 1, PictureFormat::kPng).canonical,
            grid_request({1, 2, 3}, 3, 1, PictureFormat::kPng).canonical);
}

TEST(PictureRequest, AMorphIsAClosedLoop) {
  const auto request = morph_request({1, 2, 3}, 4, 100, 1, PictureFormat::kGif);
  ASSERT_EQ(request.points.size(), 12u);
  EXPECT_EQ(request.points[0].seed, 1u);
  EXPECT_EQ(request.points[0].t, 0);
  EXPECT_EQ(request.points[8].seed, 3u);
  EXPECT_EQ(request.points[11].towards, 1u);
  EXPECT_EQ(request.points[11].t, 0.75);
}

TEST(PictureRequest, FilesHaveTheFormatThatWasRequested) {
  const std::vector<Image> pictures(4, Image(8, 8, 100));
  const auto starts_with = [&](const PictureRequest& request, std::string_view magic) {
    const auto bytes = encode(request, pictures);
    return std::string(bytes.begin(), bytes.end()).find(magic) < 12;
  };
  EXPECT_TRUE(starts_with(still_request({}, PictureFormat::kPng), "PNG"));
  EXPECT_TRUE(starts_with(still_request({}, PictureFormat::kJpeg), "JFIF"));
  EXPECT_TRUE(starts_with(still_request({}, PictureFormat::kWebp), "WEBP"));
  EXPECT_TRUE(starts_with(grid_request({1, 2, 3, 4}, 0, 1, PictureFormat::kPng), "PNG"));
  EXPECT_TRUE(starts_with(morph_request({1, 2}, 2, 100, 1, PictureFormat::kGif), "GIF89a"));
  EXPECT_TRUE(starts_with(morph_request({1, 2}, 2, 100, 1, PictureFormat::kWebp), "WEBP"));
}

}  // namespace
}  // namespace nowhere
