#include "train/picture_changes.h"

#include <torch/custom_class.h>

#include <vector>

#include "core/error.h"
#include "kernels/picture_change.h"
#include "model/workers.h"

namespace nowhere {
namespace {

struct Changes : torch::CustomClassHolder {
  std::vector<PictureChange> of_pictures;
  torch::Tensor noise;  // becomes the result; undefined for none
};

constexpr auto kColoursLast = at::MemoryFormat::ChannelsLast;

using ChangeOne = void (*)(const PictureView&, int64_t, int64_t, const PictureChange&, float*);

// out: like the pictures, colours last
torch::Tensor change_all(const torch::Tensor& pictures, const Changes& changes, ChangeOne change,
                         torch::Tensor out) {
  const int64_t count = pictures.size(0), colours = pictures.size(1), side = pictures.size(2);
  const auto* from = pictures.const_data_ptr<float>();
  auto* to = out.mutable_data_ptr<float>();
  divide_among_threads(count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      change({from + i * pictures.stride(0), pictures.stride(1), pictures.stride(2), pictures.stride(3)},
             side, colours, changes.of_pictures[static_cast<size_t>(i)], to + i * side * side * colours);
  });
  return out;
}

struct ChangeFunction : torch::autograd::Function<ChangeFunction> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& pictures,
                               const c10::intrusive_ptr<Changes>& changes) {
    context->saved_data["changes"] = torch::IValue::make_capsule(changes);
    const torch::Tensor noise = std::move(changes->noise);
    return change_all(pictures, *changes, change_picture,
                      noise.defined() ? noise : torch::empty_like(pictures, kColoursLast));
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    if (at::GradMode::is_enabled())
      throw Error(
          "second derivatives of DiffAugment are not there with --kernels auto; give --kernels torch");
    const auto holder = context->saved_data["changes"].toCapsule();
    return {change_all(gradients[0], static_cast<const Changes&>(*holder), change_picture_gradient,
                       torch::empty_like(gradients[0], kColoursLast)),
            torch::Tensor()};
  }
};

template <class Number>
Number drawn_for(const torch::Tensor& numbers, size_t picture, Number otherwise) {
  return numbers.defined() ? numbers.const_data_ptr<Number>()[picture] : otherwise;
}

}  // namespace

bool can_change_in_one_pass(const torch::Tensor& pictures) {
  return pictures.is_cpu() && pictures.scalar_type() == torch::kFloat && pictures.dim() == 4 &&
         pictures.size(2) == pictures.size(3) && changes_pictures_of(pictures.size(1));
}

torch::Tensor change_in_one_pass(const torch::Tensor& pictures, const DrawnChanges& drawn,
                                 torch::Tensor noise) {
  auto changes = c10::make_intrusive<Changes>();
  for (size_t i = 0; i < static_cast<size_t>(pictures.size(0)); ++i)
    changes->of_pictures.push_back({.colour = drawn.contrast.defined(),
                                    .brightness = drawn_for(drawn.brightness, i, 0.0f),
                                    .saturation = drawn_for(drawn.saturation, i, 1.0f),
                                    .contrast = drawn_for(drawn.contrast, i, 1.0f),
                                    .down = drawn_for<int64_t>(drawn.down, i, 0),
                                    .right = drawn_for<int64_t>(drawn.right, i, 0),
                                    .added = noise.defined()});
  if (noise.defined()) changes->noise = noise.contiguous(kColoursLast);
  return ChangeFunction::apply(pictures, changes);
}

}  // namespace nowhere
