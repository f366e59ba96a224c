#include "kernels/columns.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "kernels/scatter.h"

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
  torch::Tensor maps = torch::empty({count, channels, side, side},
                                    columns.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const torch::Tensor no_bias = torch::zeros({channels}, columns.options());
  const float* from = columns.const_data_ptr<float>();
  float* to = maps.mutable_data_ptr<float>();
  const int64_t of_picture = windows * windows * columns.size(1);
  at::parallel_for(0, count, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      scatter_picture(from + i * of_picture, windows, channels, no_bias.const_data_ptr<float>(),
                      to + i * side * side * channels);
  });
  return maps;
}

}  // namespace nowhere
