#include "eval/seen.h"

#include <gtest/gtest.h>

#include "core/test_folder.h"
#include "data/split.h"
#include "eval/held_out.h"
#include "eval/test_photographs.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class Seen : public testing::Test {
 protected:
  // What is said of `judged` when a run was trained on the photographs of `trained` that lie on one side of
  // the split, or on all.
  SeenInTraining compare(const fs::path& judged, const fs::path& trained, Split side = Split::kAll) const {
    const auto source = open_source(judged);
    TrainingData training;
    if (!fs::equivalent(judged, trained)) training.opened = open_source(trained);
    training.source = training.opened ? training.opened.get() : source.get();
    const Photos& table = training.source->photos();
    for (uint32_t number : all_photos(*training.source))
      if (side == Split::kAll || split_of(table, table.all[number]) == side)
        training.photos.push_back(number);
    const DrawnSource drawn(*source, drawn_order(source->photos(), all_photos(*source), 0));
    const PhotoParts parts = part_photos(drawn.photos());
    std::vector<uint32_t> held_out = parts.validation;
    held_out.insert(held_out.end(), parts.test.begin(), parts.test.end());
    return seen_in_training(drawn, held_out, parts.train, training, 2, [](int64_t, int64_t) {});
  }

  fs::path path(const std::string& name) const { return folder_.path() / name; }

  TestFolder folder_;
};

void expect_share(const SeenPhotographs& counts, double share) {
  EXPECT_GT(counts.compared, 0);
  EXPECT_DOUBLE_EQ(static_cast<double>(counts.seen) / static_cast<double>(counts.compared), share);
}

TEST_F(Seen, AFolderAndItsPackAreTheSamePhotographs) {
  make_drives(path("data"), "oslo", 40, 4);
  for (const Codec codec : {Codec::kRaw, Codec::kJpeg}) {
    const fs::path pack = path(codec == Codec::kRaw ? "raw.nwp" : "jpeg.nwp");
    make_pack(path("data"), pack, codec);
    for (const auto& [judged, trained] : {std::pair(path("data"), pack), std::pair(pack, path("data"))}) {
      const SeenInTraining all = compare(judged, trained);
      expect_share(all.held_out, 1);
      expect_share(all.train, 1);
      EXPECT_EQ(held_out_by(all), HeldOut::kNothing);
      const SeenInTraining split = compare(judged, trained, Split::kTrain);
      expect_share(split.held_out, 0);
      expect_share(split.train, 1);
      EXPECT_EQ(held_out_by(split), HeldOut::kSequences);
    }
  }
}

TEST_F(Seen, TheVerySourceIsKnownByItsTable) {
  make_drives(path("data"), "oslo", 40, 4);
  EXPECT_EQ(held_out_by(compare(path("data"), path("data"))), HeldOut::kNothing);
  const SeenInTraining split = compare(path("data"), path("data"), Split::kTrain);
  EXPECT_EQ(held_out_by(split), HeldOut::kSequences);
  expect_share(split.train, 1);
}

TEST_F(Seen, FilesOfAPlainFolderAreFilesNotSequences) {
  make_files(path("plain"), 0, 200);
  EXPECT_EQ(held_out_by(compare(path("plain"), path("plain"), Split::kTrain)), HeldOut::kFiles);
  EXPECT_EQ(held_out_by(compare(path("plain"), path("plain"))), HeldOut::kNothing);
  make_pack(path("plain"), path("plain.nwp"), Codec::kJpeg);
  EXPECT_EQ(held_out_by(compare(path("plain.nwp"), path("plain"), Split::kTrain)), HeldOut::kFiles);
  EXPECT_EQ(held_out_by(compare(path("plain.nwp"), path("plain"))), HeldOut::kNothing);
}

TEST_F(Seen, RenamedCopiesAreFound) {
  make_files(path("plain"), 0, 100);
  make_files(path("renamed"), 0, 100, "_copy");
  EXPECT_EQ(held_out_by(compare(path("renamed"), path("plain"))), HeldOut::kNothing);
}

TEST_F(Seen, OtherPhotographsAreNot) {
  make_files(path("plain"), 0, 100);
  make_files(path("others"), 1000, 100);
  const SeenInTraining files = compare(path("others"), path("plain"));
  expect_share(files.held_out, 0);
  expect_share(files.train, 0);
  EXPECT_EQ(held_out_by(files), HeldOut::kFiles);
  make_drives(path("a"), "oslo", 40, 4);
  make_drives(path("b"), "bern", 40, 4);
  EXPECT_EQ(held_out_by(compare(path("b"), path("a"))), HeldOut::kSequences);
}

// Other photographs under the same names: a name alone proves nothing.
TEST_F(Seen, TheSameNamesAreNotTheSamePhotographs) {
  make_files(path("plain"), 0, 100);
  make_directories(path("others"));
  for (int i = 0; i < 100; ++i)
    write_file(path("others") / fmt::format("{}.jpg", i), encode_jpeg(waves(5000 + i)));
  expect_share(compare(path("others"), path("plain")).held_out, 0);
}

TEST_F(Seen, FramesOfATrainedSequenceAreFilesOnly) {
  make_drives(path("data"), "oslo", 1, 200);  // one sequence: parted by tenths
  const auto source = open_source(path("data"));
  const DrawnSource drawn(*source, drawn_order(source->photos(), all_photos(*source), 0));
  const PhotoParts parts = part_photos(drawn.photos());
  TrainingData training;
  training.source = source.get();
  for (uint32_t number : parts.train) training.photos.push_back(drawn.number_in_source(number));
  const SeenInTraining seen =
      seen_in_training(drawn, parts.test, parts.train, training, 1, [](int64_t, int64_t) {});
  expect_share(seen.held_out, 0);
  EXPECT_EQ(held_out_by(seen), HeldOut::kFiles);
}

TEST_F(Seen, WhatCannotBeReadIsNotCompared) {
  make_files(path("plain"), 0, 100);
  make_files(path("copy"), 0, 100);
  for (int i = 0; i < 50; ++i)
    write_file(path("copy") / fmt::format("{}.jpg", i), std::string_view("not a photograph"));
  const SeenInTraining seen = compare(path("copy"), path("plain"));
  EXPECT_LT(seen.held_out.compared + seen.train.compared, 100);
  expect_share(seen.held_out, 1);
  expect_share(seen.train, 1);
}

}  // namespace
}  // namespace nowhere
