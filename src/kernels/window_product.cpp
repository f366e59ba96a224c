#include "kernels/window_product.h"

#include <algorithm>

#include "kernels/block_product.h"
#include "kernels/buffer.h"

namespace nowhere {
namespace {

constexpr int64_t kWindowSide = 4;  // of a window
constexpr int64_t kWindows = 64;    // windows of a product
constexpr int64_t kMostParts = 16;  // sums that the gradient to the weights is divided into

// The part of a window's line that lies in the map.
struct Span {
  int64_t first, last;  // of the window's places, half-open
};

Span inside(int64_t window, int64_t size) {
  return {window == 0 ? 1 : 0, std::min(kWindowSide, size + 1 - 2 * window)};
}

// Where the places of a window's line y begin in a map; the first of them may be outside.
int64_t line_of(const HalvingShape& shape, int64_t window_y, int64_t window_x, int64_t y) {
  return ((2 * window_y + y - 1) * shape.width + 2 * window_x - 1) * shape.channels;
}

// Calls use(offset in the picture, offset in the columns, first place, last place) for the lines of windows
// that are inside the map; the places from first to last of such a line are.
template <class Use>
void each_line(const HalvingShape& shape, int64_t first, int64_t last, const Use& use) {
  int64_t column = 0;
  for (int64_t window = first; window < last; ++window) {
    const int64_t window_y = window / shape.small_width(), window_x = window % shape.small_width();
    const Span down = inside(window_y, shape.height), across = inside(window_x, shape.width);
    for (int64_t y = 0; y < kWindowSide; ++y, column += kWindowSide * shape.channels)
      if (y >= down.first && y < down.last)
        use(line_of(shape, window_y, window_x, y), column, across.first, across.last);
  }
}

// One picture's windows [first, last) -> columns [last - first, 4*4*channels]; 0 outside the map.
void gather_windows(const HalvingShape& shape, const float* picture, int64_t first, int64_t last,
                    float* columns) {
  const int64_t channels = shape.channels;
  std::fill_n(columns, (last - first) * kWindowSide * kWindowSide * channels, 0.0f);
  each_line(shape, first, last, [&](int64_t from, int64_t to, int64_t begin, int64_t end) {
    std::copy_n(picture + (from + begin * channels), (end - begin) * channels,
                columns + (to + begin * channels));
  });
}

// The transpose of it: adds columns to the places of the map.
void scatter_windows(const HalvingShape& shape, const float* columns, int64_t first, int64_t last,
                     float* picture) {
  const int64_t channels = shape.channels;
  each_line(shape, first, last, [&](int64_t to, int64_t from, int64_t begin, int64_t end) {
    for (int64_t i = begin * channels; i < end * channels; ++i) picture[to + i] += columns[from + i];
  });
}

// A picture's windows in portions for a product: work(first, last).
template <class Work>
void in_portions(int64_t windows, const Work& work) {
  for (int64_t first = 0; first < windows; first += kWindows)
    work(first, std::min(windows, first + kWindows));
}

// [kernels, rows] -> [rows, width], zeros behind the kernels.
Buffer turned(const HalvingShape& shape, const float* weights, int64_t width) {
  const int64_t rows = kWindowSide * kWindowSide * shape.channels;
  Buffer made = new_buffer(rows * width);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < width; ++k)
      made[static_cast<size_t>(row * width + k)] = k < shape.kernels ? weights[k * rows + row] : 0.0f;
  return made;
}

}  // namespace

void window_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                  const Workers& workers) {
  const int64_t depth = kWindowSide * kWindowSide * shape.channels, width = padded(shape.kernels);
  const int64_t windows = shape.small_height() * shape.small_width();
  const Buffer factors = turned(shape, weights, width);
  const int64_t own = kWindows * (depth + width);  // numbers of a worker: columns and results
  const Buffer scratch = new_buffer(workers.count * own);
  workers.run(shape.pictures, [&](int64_t picture, int64_t worker) {
    float* columns = scratch.get() + worker * own;
    float* results = columns + kWindows * depth;
    const float* from = large + picture * shape.height * shape.width * shape.channels;
    in_portions(windows, [&](int64_t first, int64_t last) {
      float* to = small + (picture * windows + first) * shape.kernels;
      gather_windows(shape, from, first, last, columns);
      const bool direct = width == shape.kernels;
      multiply_block({columns, depth, 1}, factors.get(), {last - first, depth, width}, false,
                     direct ? to : results);
      if (direct) return;
      for (int64_t i = 0; i < last - first; ++i)
        std::copy_n(results + i * width, shape.kernels, to + i * shape.kernels);
    });
  });
}

void window_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                   const Workers& workers) {
  const int64_t width = kWindowSide * kWindowSide * shape.channels,
                windows = shape.small_height() * shape.small_width();
  const int64_t picture_size = shape.height * shape.width * shape.channels;
  const Buffer scratch = new_buffer(workers.count * kWindows * width);
  workers.run(shape.pictures, [&](int64_t picture, int64_t worker) {
    float* columns = scratch.get() + worker * kWindows * width;
    float* to = large + picture * picture_size;
    std::fill_n(to, picture_size, 0.0f);
    in_portions(windows, [&](int64_t first, int64_t last) {
      multiply_block({small + (picture * windows + first) * shape.kernels, shape.kernels, 1}, weights,
                     {last - first, shape.kernels, width}, false, columns);
      scatter_windows(shape, columns, first, last, to);
    });
  });
}

void window_weights(const HalvingShape& shape, const float* large, const float* small, float* weights,
                    const Workers& workers) {
  const int64_t width = kWindowSide * kWindowSide * shape.channels,
                windows = shape.small_height() * shape.small_width();
  const int64_t parts = std::min(shape.pictures, kMostParts), size = shape.weights_size();
  const Buffer sums = new_buffer(parts * size), scratch = new_buffer(workers.count * kWindows * width);
  workers.run(parts, [&](int64_t part, int64_t worker) {
    float* columns = scratch.get() + worker * kWindows * width;
    float* sum = sums.get() + part * size;
    std::fill_n(sum, size, 0.0f);
    for (int64_t picture = shape.pictures * part / parts; picture < shape.pictures * (part + 1) / parts;
         ++picture)
      in_portions(windows, [&](int64_t first, int64_t last) {
        gather_windows(shape, large + picture * shape.height * shape.width * shape.channels, first, last,
                       columns);
        multiply_block({small + (picture * windows + first) * shape.kernels, 1, shape.kernels}, columns,
                       {shape.kernels, last - first, width}, true, sum);
      });
  });
  std::copy_n(sums.get(), size, weights);
  for (int64_t part = 1; part < parts; ++part)
    for (int64_t i = 0; i < size; ++i) weights[i] += sums[static_cast<size_t>(part * size + i)];
}

}  // namespace nowhere
