#include "data/selection_digest.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

Photos three(const std::string& folder) {
  Photos photos;
  photos.folders.push_back({.path = folder, .label = "streets"});
  for (const char* name : {"a.jpg", "b.jpg", "c.jpg"}) {
    Photo photo;
    photos.set_name(photo, name);
    photos.all.push_back(photo);
  }
  return photos;
}

std::string digest(const Photos& photos, std::vector<uint32_t> selected) {
  return selection_digest(photos, selected);
}

TEST(SelectionDigest, KnowsWhichAndInWhatOrder) {
  const Photos photos = three("/data/streets");
  EXPECT_EQ(digest(photos, {0, 1, 2}).size(), 32u);
  EXPECT_EQ(digest(photos, {0, 1}), digest(photos, {0, 1}));
  EXPECT_NE(digest(photos, {0, 1}), digest(photos, {1, 0}));
  EXPECT_NE(digest(photos, {0, 1}), digest(photos, {0, 2}));
  EXPECT_NE(digest(photos, {0, 1}), digest(photos, {0, 1, 2}));
}

TEST(SelectionDigest, DoesNotDependOnThePlace) {
  EXPECT_EQ(digest(three("/data/streets"), {0, 2}), digest(three("/mnt/other/streets"), {0, 2}));
}

}  // namespace
}  // namespace nowhere
