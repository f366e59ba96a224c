#include "kernels/patches.h"

#include <gtest/gtest.h>

#include <vector>

namespace nowhere {
namespace {

std::vector<float> numbers(int64_t count, int start) {
  std::vector<float> made(static_cast<size_t>(count));
  for (size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<float>((static_cast<int>(i) * 37 + start) % 101 - 50);
  return made;
}

const PatchShape kPatchShapes[] = {{1, 1, 1, 1, 3}, {2, 4, 4, 5, 3}, {3, 2, 5, 2, 1}, {1, 6, 3, 4, 5}};

TEST(Patches, RowsHoldWhatTheKernelSees) {
  for (const PatchShape& shape : kPatchShapes) {
    const std::vector<float> maps = numbers(shape.pictures * shape.height * shape.width * shape.channels, 1);
    std::vector<float> rows(static_cast<size_t>(shape.rows() * shape.columns()), -1);
    gather_patches(shape, maps.data(), rows.data(), one_worker());
    auto row = rows.begin();
    for (int64_t n = 0; n < shape.pictures; ++n)
      for (int64_t y = 0; y < shape.height; ++y)
        for (int64_t x = 0; x < shape.width; ++x)
          for (int64_t ky = 0; ky < shape.side; ++ky)
            for (int64_t kx = 0; kx < shape.side; ++kx)
              for (int64_t c = 0; c < shape.channels; ++c) {
                const int64_t from_y = y + ky - shape.side / 2, from_x = x + kx - shape.side / 2;
                const bool inside =
                    from_y >= 0 && from_y < shape.height && from_x >= 0 && from_x < shape.width;
                const int64_t from =
                    ((n * shape.height + from_y) * shape.width + from_x) * shape.channels + c;
                ASSERT_EQ(*row++, inside ? maps[static_cast<size_t>(from)] : 0);
              }
  }
}

// <gather(a), b> = <a, sum(b)>; whole numbers, so that sums are exact.
TEST(Patches, SumsAreTheTranspose) {
  for (const PatchShape& shape : kPatchShapes) {
    const std::vector<float> maps = numbers(shape.pictures * shape.height * shape.width * shape.channels, 3);
    const std::vector<float> given = numbers(shape.rows() * shape.columns(), 7);
    std::vector<float> rows(given.size()), sums(maps.size(), 1e9f);
    gather_patches(shape, maps.data(), rows.data(), one_worker());
    sum_patches(shape, given.data(), sums.data(), one_worker());
    double left = 0, right = 0;
    for (size_t i = 0; i < rows.size(); ++i) left += static_cast<double>(rows[i]) * given[i];
    for (size_t i = 0; i < maps.size(); ++i) right += static_cast<double>(maps[i]) * sums[i];
    EXPECT_EQ(left, right);
  }
}

}  // namespace
}  // namespace nowhere
