#include "eval/held_out.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.h"

namespace nowhere {
namespace {

constexpr int kNoDrives = 0;

// Without drives the photographs are files of which nothing is known.
Photos photos_of(int drives, int frames) {
  Photos photos;
  photos.folders.push_back({});
  for (int drive = 0; drive < std::max(drives, 1); ++drive)
    for (int frame = 0; frame < frames; ++frame) {
      Photo photo;
      if (drives != kNoDrives) photo.sequence = photos.sequences.add(fmt::format("city/drive{}", drive));
      photos.set_name(photo, fmt::format("{}_{}.jpg", drive, frame));
      photos.all.push_back(photo);
    }
  return photos;
}

std::vector<uint32_t> first_of(size_t count) {
  std::vector<uint32_t> numbers(count);
  for (uint32_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

TEST(HeldOut, ManyDrivesAreHeldOutWhole) {
  const Photos photos = photos_of(100, 10);
  const PhotoParts parts = part_photos(photos);
  EXPECT_TRUE(parts.by_sequence);
  std::set<uint32_t> trained;
  for (uint32_t photo : parts.train) trained.insert(photos.all[photo].sequence);
  for (uint32_t photo : parts.test) EXPECT_FALSE(trained.contains(photos.all[photo].sequence));
  EXPECT_EQ(parts.train.size() + parts.validation.size() + parts.test.size(), 1000u);
}

TEST(HeldOut, OneDriveIsPartedByPhotograph) {
  const PhotoParts parts = part_photos(photos_of(1, 100));
  EXPECT_FALSE(parts.by_sequence);
  EXPECT_NE(parts.note.find("every tenth"), std::string::npos);
  EXPECT_EQ(parts.train.size(), 80u);
  EXPECT_EQ(parts.validation.size(), 10u);
  EXPECT_EQ(parts.test.size(), 10u);
}

TEST(HeldOut, FilesWithoutSequencesAreNotCalledSequences) {
  const PhotoParts parts = part_photos(photos_of(kNoDrives, 1000));
  EXPECT_FALSE(parts.by_sequence);
  EXPECT_NE(parts.note.find("names of files"), std::string::npos) << parts.note;
  EXPECT_NEAR(static_cast<double>(parts.test.size()), 100, 40);
}

TEST(HeldOut, TooFewAreRefused) {
  EXPECT_THROW(part_photos(photos_of(1, 50)), Error);
}

TEST(FloorHalves, NoSequenceIsInBoth) {
  const Photos photos = photos_of(5, 20);
  const FloorHalves halves = halves_for_floor(photos, first_of(100));
  EXPECT_TRUE(halves.by_sequence);
  EXPECT_EQ(halves.first.size(), 40u);  // three drives against two, cut to the smaller
  EXPECT_EQ(halves.second.size(), 40u);
  std::set<uint32_t> drives;
  for (int64_t place : halves.first) drives.insert(photos.all[static_cast<size_t>(place)].sequence);
  for (int64_t place : halves.second)
    EXPECT_FALSE(drives.contains(photos.all[static_cast<size_t>(place)].sequence));
}

TEST(FloorHalves, OneSequenceOrNoneIsPartedByPhotograph) {
  for (const int drives : {1, kNoDrives}) {
    const FloorHalves halves = halves_for_floor(photos_of(drives, 31), first_of(31));
    EXPECT_FALSE(halves.by_sequence);
    EXPECT_EQ(halves.first.size(), 15u);
    EXPECT_EQ(halves.second.size(), 15u);
    EXPECT_EQ(halves.second[0], 1);
  }
}

TEST(FloorHalves, AFewFramesOfASecondDriveAreNotEnough) {
  Photos photos = photos_of(2, 100);
  photos.all = std::vector<Photo>(photos.all.begin(), photos.all.begin() + 105);
  EXPECT_FALSE(halves_for_floor(photos, first_of(105)).by_sequence);
}

}  // namespace
}  // namespace nowhere
