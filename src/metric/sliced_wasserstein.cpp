#include "metric/sliced_wasserstein.h"

#include "core/random.h"
#include "tensor/draws.h"

namespace nowhere {
namespace {

namespace F = torch::nn::functional;

constexpr int64_t kPatch = 7, kPatchesOfPicture = 64, kDirections = 256, kSmallest = 8;
constexpr uint64_t kSeed = 0;

// Half the size, each pixel the mean of a binomial 5x5 neighbourhood.
torch::Tensor halve(const torch::Tensor& pictures) {
  const torch::Tensor line = torch::tensor({1.0, 4.0, 6.0, 4.0, 1.0}) / 16;
  const torch::Tensor kernel = torch::outer(line, line).expand({pictures.size(1), 1, 5, 5}).contiguous();
  const torch::Tensor padded = F::pad(pictures, F::PadFuncOptions({2, 2, 2, 2}).mode(torch::kReflect));
  return F::conv2d(padded, kernel, F::Conv2dFuncOptions().stride(2).groups(pictures.size(1)));
}

// What each size adds to the next smaller one; the last is what remains.
std::vector<torch::Tensor> laplacian_pyramid(torch::Tensor pictures) {
  std::vector<torch::Tensor> levels;
  while (pictures.size(2) > kSmallest) {
    const torch::Tensor small = halve(pictures);
    const auto options = F::InterpolateFuncOptions()
                             .size(std::vector<int64_t>{pictures.size(2), pictures.size(3)})
                             .mode(torch::kBilinear)
                             .align_corners(false);
    levels.push_back(pictures - F::interpolate(small, options));
    pictures = small;
  }
  levels.push_back(pictures);
  return levels;
}

// Patches at random places of each picture: [N,C,S,S] -> [N*patches, C*7*7], every channel with mean 0 and
// deviation 1.
torch::Tensor patches(const torch::Tensor& level, uint64_t number) {
  const int64_t count = level.size(0), places = level.size(2) - kPatch + 1;
  const torch::Tensor windows = level.unfold(2, kPatch, 1).unfold(3, kPatch, 1);  // [N,C,places,places,7,7]
  auto generator = keyed_generator(torch::kCPU, kSeed, Purpose::kScore, {number});
  const torch::Tensor y = torch::randint(0, places, {count, kPatchesOfPicture}, generator, torch::kLong);
  const torch::Tensor x = torch::randint(0, places, {count, kPatchesOfPicture}, generator, torch::kLong);
  const torch::Tensor picture = torch::arange(count).unsqueeze(1);
  torch::Tensor taken = windows.permute({0, 2, 3, 1, 4, 5}).index({picture, y, x});  // [N,patches,C,7,7]
  taken = taken.reshape({-1, level.size(1), kPatch * kPatch});
  taken = taken - taken.mean({0, 2}, true);
  taken = taken / taken.std({0, 2}, /*unbiased=*/false, /*keepdim=*/true).clamp_min(1e-8);
  return taken.flatten(1);
}

double distance(const torch::Tensor& a, const torch::Tensor& b, uint64_t number) {
  auto generator = keyed_generator(torch::kCPU, kSeed, Purpose::kScore, {number, 1});
  torch::Tensor directions = torch::randn({a.size(1), kDirections}, generator);
  directions = directions / directions.norm(2, 0, true);
  const auto sorted = [&](const torch::Tensor& points) {
    return std::get<0>(torch::matmul(points, directions).sort(0));
  };
  return (sorted(a) - sorted(b)).abs().mean().item<double>() * 1000;
}

}  // namespace

std::vector<double> sliced_wasserstein(const torch::Tensor& real, const torch::Tensor& fake) {
  const torch::NoGradGuard no_gradients;
  const auto of_real = laplacian_pyramid(real.contiguous()), of_fake = laplacian_pyramid(fake.contiguous());
  std::vector<double> levels;
  for (size_t i = 0; i < of_real.size(); ++i)
    levels.push_back(distance(patches(of_real[i], i), patches(of_fake[i], i), i));
  return levels;
}

}  // namespace nowhere
