#include "eval/held_out.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "core/error.h"

namespace nowhere {
namespace {

Photos photos_of(int drives, int frames) {
  Photos photos;
  photos.folders.push_back({});
  for (int drive = 0; drive < drives; ++drive)
    for (int frame = 0; frame < frames; ++frame) {
      Photo photo;
      photo.sequence = photos.sequences.add(fmt::format("city/drive{}", drive));
      photos.set_name(photo, fmt::format("{}_{}.jpg", drive, frame));
      photos.all.push_back(photo);
    }
  return photos;
}

std::vector<uint32_t> all_of(const Photos& photos) {
  std::vector<uint32_t> all(photos.all.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

TEST(HeldOut, ManyDrivesAreHeldOutWhole) {
  const Photos photos = photos_of(100, 10);
  const PhotoParts parts = part_photos(photos, all_of(photos));
  EXPECT_TRUE(parts.by_sequence);
  std::set<uint32_t> trained;
  for (uint32_t photo : parts.train) trained.insert(photos.all[photo].sequence);
  for (uint32_t photo : parts.test) EXPECT_FALSE(trained.contains(photos.all[photo].sequence));
  EXPECT_EQ(parts.train.size() + parts.validation.size() + parts.test.size(), 1000u);
}

TEST(HeldOut, OneDriveIsPartedByPhotograph) {
  const Photos photos = photos_of(1, 100);
  const PhotoParts parts = part_photos(photos, all_of(photos));
  EXPECT_FALSE(parts.by_sequence);
  EXPECT_EQ(parts.train.size(), 80u);
  EXPECT_EQ(parts.validation.size(), 10u);
  EXPECT_EQ(parts.test.size(), 10u);
}

TEST(HeldOut, TooFewAreRefused) {
  const Photos photos = photos_of(1, 50);
  EXPECT_THROW(part_photos(photos, all_of(photos)), Error);
}

}  // namespace
}  // namespace nowhere
