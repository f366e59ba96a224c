#include "model/low_pass.h"

#include "kernels/low_pass.h"
#include "model/workers.h"

namespace nowhere {
namespace {

// With repeated edges the filter is a symmetric matrix, so it is its own gradient, and that of the gradient.
struct SmoothFunction : torch::autograd::Function<SmoothFunction> {
  static torch::Tensor forward(torch::autograd::AutogradContext*, const torch::Tensor& maps) {
    torch::Tensor out = maps.clone(at::MemoryFormat::ChannelsLast);
    const int64_t channels = out.size(1), side = out.size(2), size = side * side * channels;
    auto* numbers = out.mutable_data_ptr<float>();
    divide_among_threads(out.size(0), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) smooth_picture(numbers + i * size, side, channels);
    });
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& gradients) {
    return {apply(gradients[0])};
  }
};

}  // namespace

torch::Tensor smooth_maps(const torch::Tensor& maps, Kernels kernels) {
  if (kernels == Kernels::kAuto && maps.is_cpu() && maps.scalar_type() == torch::kFloat &&
      maps.size(2) == maps.size(3))
    return SmoothFunction::apply(maps);
  // Two means of neighbours, one after the other.
  const torch::Tensor wide = torch::replication_pad2d(maps, {1, 1, 1, 1});
  return torch::avg_pool2d(torch::avg_pool2d(wide, 2, 1), 2, 1);
}

}  // namespace nowhere
