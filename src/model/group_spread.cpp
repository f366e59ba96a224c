#include "model/group_spread.h"

#include "kernels/spread.h"
#include "model/workers.h"

namespace nowhere {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kSpreadLayout = torch::MemoryFormat::ChannelsLast;

// [groups] -> [N,1,H,W]
torch::Tensor at_every_place(const torch::Tensor& spreads, const torch::Tensor& maps) {
  const int64_t groups = spreads.size(0), places = maps.size(2) * maps.size(3);
  return spreads.view({groups, 1})
      .expand({groups, maps.size(0) / groups * places})
      .reshape({maps.size(0), 1, maps.size(2), maps.size(3)});
}

// [N,C,H,W] -> [N,1,H,W], by LibTorch's operators
torch::Tensor derivable_spread(const torch::Tensor& maps, int64_t group) {
  const torch::Tensor grouped = maps.reshape({maps.size(0) / group, group, -1});
  // By hand: LibTorch's own variance along an inner axis takes ten times as long on a CPU.
  const torch::Tensor variance = (grouped - grouped.mean(1, /*keepdim=*/true)).square().mean(1);
  return at_every_place((variance + 1e-8).sqrt().mean(1), maps);
}

GroupShape shape_of(const torch::Tensor& maps, int64_t group) {
  return {.groups = maps.size(0) / group, .pictures = group, .numbers = maps.numel() / maps.size(0)};
}

struct Spread : torch::autograd::Function<Spread> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& maps, int64_t group) {
    const GroupShape shape = shape_of(maps, group);
    const torch::Tensor dense = maps.contiguous(kSpreadLayout);
    torch::Tensor spreads = torch::empty({shape.groups}, maps.options());
    measure_spreads(shape, dense.const_data_ptr<float>(),
                    {spreads.mutable_data_ptr<float>(), static_cast<size_t>(shape.groups)}, torch_workers());
    context->save_for_backward({maps});
    context->saved_data["group"] = group;
    return at_every_place(spreads, maps);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const torch::Tensor maps = context->get_saved_variables()[0];
    const int64_t group = context->saved_data["group"].toInt();
    if (at::GradMode::is_enabled())
      return {torch::autograd::grad({derivable_spread(maps, group)}, {maps}, {gradients[0]},
                                    /*retain_graph=*/true, /*create_graph=*/true)[0],
              torch::Tensor()};
    const torch::Tensor dense = maps.contiguous(kSpreadLayout),
                        gradient = gradients[0].reshape({maps.size(0) / group, -1}).sum(1);
    torch::Tensor made = torch::empty_like(dense);
    gradient_of_spreads(shape_of(maps, group), dense.const_data_ptr<float>(),
                        {gradient.const_data_ptr<float>(), static_cast<size_t>(gradient.numel())},
                        made.mutable_data_ptr<float>(), torch_workers());
    return {made, torch::Tensor()};
  }
};

}  // namespace

torch::Tensor group_spread(const torch::Tensor& maps, int64_t group, Kernels kernels) {
  const bool ours =
      kernels == Kernels::kAuto && maps.device().is_cpu() && maps.scalar_type() == torch::kFloat;
  return ours ? Spread::apply(maps, group) : derivable_spread(maps, group);
}

}  // namespace nowhere
