#include "kernels/columns.h"

#include "core/parallel.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

constexpr int64_t kPictures = 3, kTaps = kKernelSide * kKernelSide;

std::vector<SquareMap> shapes() {
  std::vector<SquareMap> all;
  for (const int64_t side : {2, 4, 8, 16})
    for (const int64_t channels : {1, 3, 5, 7, 17, 33}) all.push_back({side, channels});
  return all;
}

int64_t maps_size(const SquareMap& shape) {
  return kPictures * shape.map_size();
}

int64_t columns_size(const SquareMap& shape) {
  return kPictures * shape.windows() * shape.line_size();
}

int64_t lines_of(const SquareMap& shape) {
  return kPictures * shape.windows();
}

std::vector<float> unwritten(int64_t count) {
  return std::vector<float>(static_cast<size_t>(count), std::nanf(""));
}

// Calls pair(where in columns, where in maps) for every number that windows hold, tap by tap, and pair(where
// in columns, -1) for those outside of the map.
template <class Pair>
void for_each_pair(const SquareMap& shape, const Pair& pair) {
  const int64_t windows = shape.windows();
  for (int64_t tap = 0; tap < kTaps; ++tap)
    for (int64_t window = 0; window < kPictures * windows * windows; ++window) {
      const int64_t picture = window / (windows * windows);
      const int64_t row = 2 * (window / windows % windows) - 1 + tap / kKernelSide;
      const int64_t column = 2 * (window % windows) - 1 + tap % kKernelSide;
      const bool inside = row >= 0 && row < shape.side && column >= 0 && column < shape.side;
      for (int64_t c = 0; c < shape.channels; ++c)
        pair((window * kTaps + tap) * shape.channels + c,
             inside ? ((picture * shape.side + row) * shape.side + column) * shape.channels + c : -1);
    }
}

std::vector<float> gathered(const std::vector<float>& maps, const SquareMap& shape) {
  std::vector<float> columns = unwritten(columns_size(shape));
  gather_columns(maps, shape, {0, lines_of(shape)}, columns);
  return columns;
}

std::vector<float> scattered(const std::vector<float>& columns, const SquareMap& shape) {
  std::vector<float> maps = unwritten(maps_size(shape));
  scatter_columns(columns, shape, {0, kPictures}, maps);
  return maps;
}

TEST(GatherColumns, CopiesEveryWindow) {
  for (const SquareMap& shape : shapes()) {
    const std::vector<float> maps = test_numbers(maps_size(shape), 1);
    std::vector<float> expected = unwritten(columns_size(shape));
    for_each_pair(shape, [&](int64_t in_columns, int64_t in_maps) {
      expected[in_columns] = in_maps < 0 ? 0.0f : maps[in_maps];
    });
    EXPECT_EQ(bits_of(gathered(maps, shape)), bits_of(expected))
        << "side " << shape.side << ", " << shape.channels << " channels";
  }
}

TEST(GatherColumns, WritesItsLinesOnly) {
  const SquareMap shape{.side = 8, .channels = 5};
  const std::vector<float> maps = test_numbers(maps_size(shape), 2), all = gathered(maps, shape);
  const IndexRange lines{3, 6};  // from the first picture into the second
  std::vector<float> expected = unwritten(columns_size(shape)), columns = expected;
  for (int64_t i = lines.begin * shape.line_size(); i < lines.end * shape.line_size(); ++i)
    expected[i] = all[i];
  gather_columns(maps, shape, lines, columns);
  EXPECT_EQ(bits_of(columns), bits_of(expected));
}

class ScatterColumns : public TargetTest {};

TEST_P(ScatterColumns, SumsEveryWindow) {
  for (const SquareMap& shape : shapes()) {
    const std::vector<float> columns = test_numbers(columns_size(shape), 3);
    std::vector<float> expected(static_cast<size_t>(maps_size(shape)));
    for_each_pair(shape, [&](int64_t in_columns, int64_t in_maps) {
      if (in_maps >= 0) expected[in_maps] += columns[in_columns];
    });
    EXPECT_EQ(bits_of(scattered(columns, shape)), bits_of(expected))
        << "side " << shape.side << ", " << shape.channels << " channels";
  }
}

TEST_P(ScatterColumns, WritesItsPicturesOnly) {
  const SquareMap shape{.side = 4, .channels = 7};
  const std::vector<float> columns = test_numbers(columns_size(shape), 4), all = scattered(columns, shape);
  std::vector<float> expected = unwritten(maps_size(shape)), maps = expected;
  for (int64_t i = shape.map_size(); i < 2 * shape.map_size(); ++i) expected[i] = all[i];
  scatter_columns(columns, shape, {1, 2}, maps);
  EXPECT_EQ(bits_of(maps), bits_of(expected));
}

INSTANTIATE_TEST_SUITE_P(Targets, ScatterColumns, every_target(), target_name);

TEST(Columns, RangesCanRunOnSeveralThreads) {
  constexpr int kThreads = 4;
  const SquareMap shape{.side = 8, .channels = 17};
  const std::vector<float> maps = test_numbers(maps_size(shape), 5), expected = gathered(maps, shape);
  std::vector<float> columns = unwritten(columns_size(shape));
  parallel_for(static_cast<size_t>(lines_of(shape)), kThreads, [&](size_t item) {
    const auto line = static_cast<int64_t>(item);
    gather_columns(maps, shape, {line, line + 1}, columns);
  });
  EXPECT_EQ(bits_of(columns), bits_of(expected));

  std::vector<float> sums = unwritten(maps_size(shape));
  hwy::SetSupportedTargetsForTest(0);  // the threads choose the instruction set at the same time
  parallel_for(kPictures, kThreads, [&](size_t item) {
    const auto picture = static_cast<int64_t>(item);
    scatter_columns(columns, shape, {picture, picture + 1}, sums);
  });
  EXPECT_EQ(bits_of(sums), bits_of(scattered(columns, shape)));
}

}  // namespace
}  // namespace nowhere
