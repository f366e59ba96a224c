#include "train/diff_augment.h"

namespace nowhere {
namespace {

constexpr int64_t kShiftDivisor = 8;  // the largest shift is an eighth of the side

// [N,1,1,1], uniform in [low, high)
torch::Tensor draw(int64_t count, double low, double high, at::Generator& generator,
                   const torch::TensorOptions& options) {
  return torch::rand({count, 1, 1, 1}, generator, options) * (high - low) + low;
}

torch::Tensor change_colour(const torch::Tensor& pictures, double strength, at::Generator& generator) {
  const int64_t count = pictures.size(0);
  const auto options = pictures.options();
  const double half = strength / 2;
  const torch::Tensor brightness = draw(count, -half, half, generator, options);
  const torch::Tensor saturation = draw(count, 1 - strength, 1 + strength, generator, options);
  const torch::Tensor contrast = draw(count, 1 - half, 1 + half, generator, options);
  const torch::Tensor grey = pictures.mean({1}, /*keepdim=*/true);  // [N,1,S,S]
  const torch::Tensor saturated = torch::lerp(grey, pictures, saturation);
  // Neither a shift of all values nor a change of saturation moves anything against the mean.
  const torch::Tensor mean = grey.mean({2, 3}, /*keepdim=*/true);  // [N,1,1,1]
  return saturated * contrast + (mean * (1 - contrast) + brightness);
}

// One-hot matrices [N,1,S,S] whose product with a picture moves its rows by an own number for each picture:
// row y of the result is row y - shift. Rows that come from outside are zero.
torch::Tensor row_shifts(int64_t count, int64_t side, at::Generator& generator,
                         const torch::TensorOptions& options) {
  const int64_t most = side / kShiftDivisor;
  const auto whole = options.dtype(torch::kLong);
  const torch::Tensor shift = torch::randint(-most, most + 1, {count, 1, 1}, generator, whole);
  const torch::Tensor place = torch::arange(side, whole);
  return (place.view({1, -1, 1}) - shift == place.view({1, 1, -1})).unsqueeze(1).to(options.dtype());
}

torch::Tensor translate(const torch::Tensor& pictures, at::Generator& generator) {
  const int64_t count = pictures.size(0);
  const torch::Tensor rows = row_shifts(count, pictures.size(2), generator, pictures.options());
  const torch::Tensor columns = row_shifts(count, pictures.size(3), generator, pictures.options());
  return torch::matmul(torch::matmul(rows, pictures), columns.transpose(2, 3));
}

}  // namespace

torch::Tensor diff_augment(const torch::Tensor& pictures, const DiffAugmentConfig& config,
                           at::Generator generator) {
  torch::Tensor changed = pictures;
  if (config.colour > 0) changed = change_colour(changed, config.colour, generator);
  if (config.translation)
    changed = translate(changed, generator)
                  .to(pictures.dtype())  // autocast multiplies in less
                  .contiguous(pictures.suggest_memory_format());
  return changed;
}

}  // namespace nowhere
