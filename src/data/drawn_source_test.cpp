#include "data/drawn_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "data/pack_fixture.h"

namespace nowhere {
namespace {

std::vector<uint32_t> every_number(const Source& source) {
  std::vector<uint32_t> numbers(source.photos().all.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

std::vector<std::string> identities(const Source& source) {
  std::vector<std::string> names;
  for (const Photo& photo : source.photos().all) names.push_back(source.photos().identity(photo));
  return names;
}

std::vector<std::string> drawn_names(const Source& source, const std::vector<uint32_t>& selected,
                                     uint64_t seed = 0) {
  return identities(DrawnSource(source, drawn_order(source.photos(), selected, seed)));
}

class DrawnSourceTest : public PackTest {
 protected:
  DrawnSourceTest() {  // beside the city a folder without tables
    const auto walk = folder_.path() / "train_val" / "walk";
    make_directories(walk);
    for (int i = 0; i < 12; ++i) write_jpeg(walk / fmt::format("{}.jpg", i), test_picture(900 + i));
    pack();
  }
  std::unique_ptr<Source> folder() const { return open_source(folder_.path() / "train_val"); }
  std::unique_ptr<Source> packed() const { return open_source(config_.output); }
};

TEST_F(DrawnSourceTest, AFolderAndItsPackGiveTheSameOrder) {
  const auto folder = this->folder(), packed = this->packed();
  ASSERT_EQ(folder->photos().all.size(), 36u);
  EXPECT_NE(identities(*folder), identities(*packed));  // the tables have orders of their own
  const auto names = drawn_names(*folder, every_number(*folder));
  EXPECT_EQ(names, drawn_names(*packed, every_number(*packed)));
  EXPECT_FALSE(std::is_sorted(names.begin(), names.end()));
}

TEST_F(DrawnSourceTest, TheOrderOfTheListDoesNotMatterAndTheSeedDoes) {
  const auto folder = this->folder();
  std::vector<uint32_t> listed = every_number(*folder);
  const auto names = drawn_names(*folder, listed), others = drawn_names(*folder, listed, 1);
  std::reverse(listed.begin(), listed.end());
  EXPECT_EQ(drawn_names(*folder, listed), names);
  EXPECT_NE(others, names);
  EXPECT_TRUE(std::is_permutation(others.begin(), others.end(), names.begin()));
}

TEST_F(DrawnSourceTest, WhatIsKnownAndTheFramesComeAlong) {
  const auto folder = this->folder();
  const auto order = drawn_order(folder->photos(), every_number(*folder), 3);
  const DrawnSource drawn(*folder, {order.begin(), order.begin() + 5});
  ASSERT_EQ(drawn.photos().all.size(), 5u);
  Source::Scratch here, there;
  for (size_t i = 0; i < 5; ++i) {
    const uint32_t number = drawn.number_in_source(i);
    EXPECT_EQ(number, order[i]);
    const Photo &copy = drawn.photos().all[i], &original = folder->photos().all[number];
    EXPECT_EQ(drawn.photos().city(copy), folder->photos().city(original));
    EXPECT_EQ(drawn.photos().sequence(copy), folder->photos().sequence(original));
    EXPECT_EQ(drawn.photos().path(copy), folder->photos().path(original));
    const ImageView a = drawn.frame(i, {48}, here)->view, b = folder->frame(number, {48}, there)->view;
    ASSERT_EQ(a.height, b.height);
    EXPECT_TRUE(std::equal(a.data, a.data + a.stride * static_cast<size_t>(a.height), b.data));
  }
}

}  // namespace
}  // namespace nowhere
