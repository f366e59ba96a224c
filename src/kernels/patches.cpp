#include "kernels/patches.h"

#include <algorithm>

namespace nowhere {
namespace {

// Calls work(place, from) for each place that the kernel sees from (y, x): its offset in the row and in the
// picture; the second is negative for places outside.
template <class Work>
void each_place(const PatchShape& shape, int64_t y, int64_t x, const Work& work) {
  const int64_t reach = shape.side / 2;
  int64_t place = 0;
  for (int64_t from_y = y - reach; from_y <= y + reach; ++from_y)
    for (int64_t from_x = x - reach; from_x <= x + reach; ++from_x, place += shape.channels) {
      const bool inside = from_y >= 0 && from_y < shape.height && from_x >= 0 && from_x < shape.width;
      work(place, inside ? (from_y * shape.width + from_x) * shape.channels : -1);
    }
}

// Calls work(row, y, x) for the places of a picture.
template <class Work>
void each_row(const PatchShape& shape, int64_t picture, const Work& work) {
  int64_t row = picture * shape.height * shape.width;
  for (int64_t y = 0; y < shape.height; ++y)
    for (int64_t x = 0; x < shape.width; ++x) work(row++, y, x);
}

}  // namespace

void gather_patches(const PatchShape& shape, const float* maps, float* rows, const Workers& workers) {
  workers.run(shape.pictures, [&](int64_t picture, int64_t) {
    const float* map = maps + picture * shape.height * shape.width * shape.channels;
    each_row(shape, picture, [&](int64_t row, int64_t y, int64_t x) {
      float* to = rows + row * shape.columns();
      each_place(shape, y, x, [&](int64_t place, int64_t from) {
        if (from < 0)
          std::fill_n(to + place, shape.channels, 0.0f);
        else
          std::copy_n(map + from, shape.channels, to + place);
      });
    });
  });
}

void sum_patches(const PatchShape& shape, const float* rows, float* maps, const Workers& workers) {
  workers.run(shape.pictures, [&](int64_t picture, int64_t) {
    const int64_t numbers = shape.height * shape.width * shape.channels;
    float* map = maps + picture * numbers;
    std::fill_n(map, numbers, 0.0f);
    each_row(shape, picture, [&](int64_t row, int64_t y, int64_t x) {
      const float* from_row = rows + row * shape.columns();
      each_place(shape, y, x, [&](int64_t place, int64_t to) {
        if (to < 0) return;
        for (int64_t c = 0; c < shape.channels; ++c) map[to + c] += from_row[place + c];
      });
    });
  });
}

}  // namespace nowhere
