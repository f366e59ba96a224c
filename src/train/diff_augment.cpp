#include "train/diff_augment.h"

#include "train/picture_changes.h"

namespace nowhere {
namespace {

constexpr int64_t kShiftDivisor = 8;  // the largest shift is an eighth of the side

// [N,1,1,1], uniform in [low, high)
torch::Tensor draw(int64_t count, double low, double high, at::Generator& generator,
                   const torch::TensorOptions& options) {
  return torch::rand({count, 1, 1, 1}, generator, options) * (high - low) + low;
}

// [N,1,1], whole
torch::Tensor draw_shift(int64_t count, int64_t side, at::Generator& generator,
                         const torch::TensorOptions& options) {
  const int64_t most = side / kShiftDivisor;
  return torch::randint(-most, most + 1, {count, 1, 1}, generator, options.dtype(torch::kLong));
}

DrawnChanges draw_changes(const torch::Tensor& pictures, const DiffAugmentConfig& config,
                          at::Generator& generator) {
  const int64_t count = pictures.size(0);
  const auto options = pictures.options();
  DrawnChanges drawn;
  if (config.colour > 0) {
    const double half = config.colour / 2;
    drawn.brightness = draw(count, -half, half, generator, options);
    drawn.saturation = draw(count, 1 - config.colour, 1 + config.colour, generator, options);
    drawn.contrast = draw(count, 1 - half, 1 + half, generator, options);
  }
  if (config.translation) {
    drawn.down = draw_shift(count, pictures.size(2), generator, options);
    drawn.right = draw_shift(count, pictures.size(3), generator, options);
  }
  return drawn;
}

torch::Tensor change_colour(const torch::Tensor& pictures, const DrawnChanges& drawn) {
  const torch::Tensor grey = pictures.mean({1}, /*keepdim=*/true);  // [N,1,S,S]
  const torch::Tensor saturated = torch::lerp(grey, pictures, drawn.saturation);
  // Neither a shift of all values nor a change of saturation moves anything against the mean.
  const torch::Tensor mean = grey.mean({2, 3}, /*keepdim=*/true);  // [N,1,1,1]
  return saturated * drawn.contrast + (mean * (1 - drawn.contrast) + drawn.brightness);
}

// One-hot matrices [N,1,S,S] whose product with a picture moves its rows by an own number for each picture:
// row y of the result is row y - shift. Rows that come from outside are zero.
torch::Tensor row_shifts(const torch::Tensor& shift, int64_t side, const torch::TensorOptions& options) {
  const torch::Tensor place = torch::arange(side, shift.options());
  return (place.view({1, -1, 1}) - shift == place.view({1, 1, -1})).unsqueeze(1).to(options.dtype());
}

torch::Tensor translate(const torch::Tensor& pictures, const DrawnChanges& drawn) {
  const torch::Tensor rows = row_shifts(drawn.down, pictures.size(2), pictures.options());
  const torch::Tensor columns = row_shifts(drawn.right, pictures.size(3), pictures.options());
  return torch::matmul(torch::matmul(rows, pictures), columns.transpose(2, 3));
}

}  // namespace

torch::Tensor diff_augment(const torch::Tensor& pictures, const DiffAugmentConfig& config,
                           at::Generator generator, const torch::Tensor& noise) {
  const DrawnChanges drawn = draw_changes(pictures, config, generator);
  if (config.kernels == Kernels::kAuto && can_change_in_one_pass(pictures))
    return change_in_one_pass(pictures, drawn, noise);
  torch::Tensor changed = pictures;
  if (config.colour > 0) changed = change_colour(changed, drawn);
  if (config.translation)
    changed = translate(changed, drawn)
                  .to(pictures.dtype())  // autocast multiplies in less
                  .contiguous(pictures.suggest_memory_format());
  return noise.defined() ? changed + noise : changed;
}

}  // namespace nowhere
