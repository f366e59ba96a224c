#include "model/matrix_convolution.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>

#include <algorithm>
#include <span>

#include "kernels/columns.h"

namespace nowhere {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// [N,C,H,W] -> [N*H*W,C], without a copy where the memory lies that way
torch::Tensor rows_of(const torch::Tensor& maps) {
  return maps.permute({0, 2, 3, 1}).reshape({-1, maps.size(1)});
}

// [N*S*S,C] -> [N,C,S,S] in channels_last
torch::Tensor maps_of(const torch::Tensor& rows, int64_t side) {
  return rows.view({-1, side, side, rows.size(1)}).permute({0, 3, 1, 2});
}

// [K,C,4,4] -> [K,16*C]
torch::Tensor matrix_of(const torch::Tensor& weight) {
  return weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1});
}

// [K,16*C] -> [K,C,4,4] in channels_last
torch::Tensor weight_of(const torch::Tensor& matrix, int64_t channels) {
  return matrix.view({matrix.size(0), kKernelSide, kKernelSide, channels}).permute({0, 3, 1, 2});
}

std::span<const float> numbers_of(const torch::Tensor& tensor) {
  return {tensor.const_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

std::span<float> mutable_numbers_of(torch::Tensor& tensor) {
  return {tensor.mutable_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

// Calls work(range) for ranges that together are [0, count). On LibTorch's threads, as the matrix products
// before and after it: these threads wait actively for a while after each product, and core's parallel_for,
// which starts threads in every call, would compete with them for the cores.
template <class Work>
void in_ranges(int64_t count, const Work& work) {
  at::parallel_for(0, count, 1, [&](int64_t begin, int64_t end) { work(IndexRange{begin, end}); });
}

// maps [N,C,2S,2S], any layout -> [N*S*S,16*C], a window in each row
torch::Tensor columns_of(const torch::Tensor& maps) {
  const torch::Tensor source = maps.contiguous(torch::MemoryFormat::ChannelsLast);
  const SquareMap shape{.side = maps.size(2), .channels = maps.size(1)};
  const int64_t lines = maps.size(0) * shape.windows();
  torch::Tensor columns =
      torch::empty({lines * shape.windows(), kKernelSide * kKernelSide * shape.channels}, maps.options());
  const std::span<const float> from = numbers_of(source);
  const std::span<float> to = mutable_numbers_of(columns);
  in_ranges(lines, [&](IndexRange range) { gather_columns(from, shape, range, to); });
  return columns;
}

// columns [N*S*S,16*C] -> [N,C,side,side] in channels_last: windows summed into maps
torch::Tensor maps_of_columns(const torch::Tensor& columns, int64_t channels, int64_t side) {
  const SquareMap shape{.side = side, .channels = channels};
  const int64_t pictures = columns.size(0) / (shape.windows() * shape.windows());
  torch::Tensor maps = torch::empty({pictures, channels, side, side},
                                    columns.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const std::span<const float> from = numbers_of(columns);
  const std::span<float> to = mutable_numbers_of(maps);
  in_ranges(pictures, [&](IndexRange range) { scatter_columns(from, shape, range, to); });
  return maps;
}

// Where the gradients are to be differentiated themselves (R1), LibTorch's own are used: they allow it.
variable_list derivable_gradients(AutogradContext* context, const torch::Tensor& gradient, bool transposed) {
  const variable_list saved = context->get_saved_variables();
  const auto [maps, weight, bias] = torch::convolution_backward(
      gradient, saved[0], saved[1], std::nullopt, {2, 2}, {1, 1}, {1, 1}, transposed, {0, 0}, 1,
      {context->needs_input_grad(0), context->needs_input_grad(1), false});
  return {maps, weight};
}

struct Halve : torch::autograd::Function<Halve> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& maps,
                               const torch::Tensor& weight) {
    context->save_for_backward({maps, weight});
    // Into a tensor of its own, not a view of the product: activations behind it work in place.
    const int64_t side = maps.size(2) / 2;
    torch::Tensor halved = torch::empty({maps.size(0), weight.size(0), side, side},
                                        maps.options().memory_format(torch::MemoryFormat::ChannelsLast));
    torch::Tensor rows = halved.permute({0, 2, 3, 1}).view({-1, weight.size(0)});
    at::mm_out(rows, columns_of(maps), matrix_of(weight).t());
    return halved;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (at::GradMode::is_enabled()) return derivable_gradients(context, gradients[0], false);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor gradient = rows_of(gradients[0]);  // [N*S*S,K]
    torch::Tensor maps, weight;
    if (context->needs_input_grad(0))
      maps = maps_of_columns(torch::mm(gradient, matrix_of(saved[1])), saved[0].size(1), saved[0].size(2));
    if (context->needs_input_grad(1))
      weight = weight_of(torch::mm(gradient.t(), columns_of(saved[0])), saved[1].size(1));
    return {maps, weight};
  }
};

struct Double : torch::autograd::Function<Double> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& maps,
                               const torch::Tensor& weight) {
    context->save_for_backward({maps, weight});
    return maps_of_columns(torch::mm(rows_of(maps), matrix_of(weight)), weight.size(1), 2 * maps.size(2));
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (at::GradMode::is_enabled()) return derivable_gradients(context, gradients[0], true);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor columns = columns_of(gradients[0]);  // [N*S*S,16*C]
    torch::Tensor maps, weight;
    if (context->needs_input_grad(0))
      maps = maps_of(torch::mm(columns, matrix_of(saved[1]).t()), saved[0].size(2));
    if (context->needs_input_grad(1))
      weight = weight_of(torch::mm(rows_of(saved[0]).t(), columns), saved[1].size(1));
    return {maps, weight};
  }
};

}  // namespace

torch::Tensor halve_maps(const torch::Tensor& maps, const torch::Tensor& weight) {
  return Halve::apply(maps, weight);
}

torch::Tensor double_maps(const torch::Tensor& maps, const torch::Tensor& weight) {
  return Double::apply(maps, weight);
}

bool matrix_is_faster(const torch::Tensor& maps, int64_t small_side, const torch::Tensor& weight) {
  constexpr int64_t kSmallSide = 4, kManyRows = 512, kManyChannels = 256;  // 128: no gain
  return maps.device().is_cpu() && maps.scalar_type() == torch::kFloat &&
         !at::autocast::is_autocast_enabled(torch::kCPU) && small_side == kSmallSide &&
         maps.size(0) * kSmallSide * kSmallSide >= kManyRows &&
         std::min(weight.size(0), weight.size(1)) >= kManyChannels;
}

}  // namespace nowhere
