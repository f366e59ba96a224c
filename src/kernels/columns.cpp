#include "kernels/columns.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace nowhere {
namespace {

constexpr int64_t kStride = 2, kPadding = 1;

}  // namespace

torch::Tensor gather_columns(const torch::Tensor& maps) {
  const torch::Tensor source = maps.contiguous(torch::MemoryFormat::ChannelsLast);
  const int64_t count = maps.size(0), channels = maps.size(1), side = maps.size(2), windows = side / kStride;
  torch::Tensor columns =
      torch::empty({count * windows * windows, kKernelSide * kKernelSide * channels}, maps.options());
  const float* from = source.const_data_ptr<float>();
  float* to = columns.mutable_data_ptr<float>();
  at::parallel_for(0, count * windows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {  // a line of windows: (picture, y)
      const float* map = from + line / windows * side * side * channels;
      float* out = to + line * windows * kKernelSide * kKernelSide * channels;
      for (int64_t x = 0; x < windows; ++x)
        for (int64_t tap = 0; tap < kKernelSide * kKernelSide; ++tap, out += channels) {
          const int64_t row = line % windows * kStride - kPadding + tap / kKernelSide;
          const int64_t column = x * kStride - kPadding + tap % kKernelSide;
          if (row < 0 || row >= side || column < 0 || column >= side)
            std::fill_n(out, channels, 0.0f);
          else
            std::copy_n(map + (row * side + column) * channels, channels, out);
        }
    }
  });
  return columns;
}

torch::Tensor scatter_columns(const torch::Tensor& columns, int64_t channels, int64_t side) {
  const int64_t windows = side / kStride, count = columns.size(0) / (windows * windows);
  const int64_t window_size = kKernelSide * kKernelSide * channels;
  torch::Tensor maps = torch::empty({count, channels, side, side},
                                    columns.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const float* from = columns.const_data_ptr<float>();
  float* to = maps.mutable_data_ptr<float>();
  at::parallel_for(0, count * side, 1, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {  // (picture, row): each is one thread's alone
      const float* windows_of_map = from + line / side * windows * windows * window_size;
      const int64_t row = line % side;
      for (int64_t column = 0; column < side; ++column) {
        float* out = to + (line * side + column) * channels;
        std::fill_n(out, channels, 0.0f);
        // At most two windows down and two across hold this place; y and x are theirs.
        for (int64_t tap_y = (row + kPadding) % kStride; tap_y < kKernelSide; tap_y += kStride) {
          const int64_t y = (row + kPadding - tap_y) / kStride;
          if (row + kPadding < tap_y || y >= windows) continue;
          for (int64_t tap_x = (column + kPadding) % kStride; tap_x < kKernelSide; tap_x += kStride) {
            const int64_t x = (column + kPadding - tap_x) / kStride;
            if (column + kPadding < tap_x || x >= windows) continue;
            const float* in =
                windows_of_map + (y * windows + x) * window_size + (tap_y * kKernelSide + tap_x) * channels;
            for (int64_t c = 0; c < channels; ++c) out[c] += in[c];
          }
        }
      }
    }
  });
  return maps;
}

}  // namespace nowhere
