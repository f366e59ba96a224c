#include "model/feature_passes.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/test_folder.h"
#include "model/feature_file.h"
#include "model/feature_maps.h"
#include "model/test_features.h"

namespace nowhere {
namespace {

constexpr double kLargestError = 1e-4, kErrorOfAJump = 0.05;

// Largest difference as a share of the largest number.
double relative_error(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>() / b.abs().max().item<double>();
}

torch::Tensor test_pictures(int64_t count, int64_t side, bool channels_last) {
  torch::manual_seed(3);
  const torch::Tensor pictures = torch::rand({count, 3, side, side}) * 2 - 1;
  return channels_last ? pictures.contiguous(at::MemoryFormat::ChannelsLast) : pictures;
}

struct MapsAndGradient {
  std::vector<torch::Tensor> maps;
  torch::Tensor gradient;
};

// Gradients of some function of all maps, not the same at all places.
MapsAndGradient look_and_return(FeatureMaps& network, const torch::Tensor& pictures) {
  const torch::Tensor wanting = pictures.detach().clone().requires_grad_();
  MapsAndGradient result{network(wanting), {}};
  torch::Tensor sum = torch::zeros({});
  for (const torch::Tensor& map : result.maps) sum = sum + (map.square() * 0.1 + map).mean();
  sum.backward();
  result.gradient = wanting.grad();
  return result;
}

void expect_alike(const std::filesystem::path& file, int side, int64_t count, bool channels_last) {
  const auto torch_maps = open_feature_maps(file, side), kernel_maps = open_feature_maps(file, side);
  kernel_maps->use_kernels();
  const torch::Tensor pictures = test_pictures(count, side, channels_last);
  const MapsAndGradient expected = look_and_return(*torch_maps, pictures),
                        ours = look_and_return(*kernel_maps, pictures);
  ASSERT_EQ(ours.maps.size(), expected.maps.size());
  for (size_t i = 0; i < ours.maps.size(); ++i) {
    EXPECT_EQ(ours.maps[i].sizes(), expected.maps[i].sizes());
    EXPECT_LT(relative_error(ours.maps[i], expected.maps[i]), kLargestError) << side << " px, map " << i;
  }
  // The slope of ReLU6 jumps: where what it gets is nearly 0 or 6, rounding decides about the gradient of a
  // picture.
  std::vector<double> errors;
  for (int64_t i = 0; i < count; ++i)
    errors.push_back(relative_error(ours.gradient[i], expected.gradient[i]));
  std::ranges::sort(errors);
  EXPECT_LT(errors[errors.size() / 2], kLargestError) << side << " px";
  EXPECT_LT(errors.back(), kErrorOfAJump) << side << " px";
}

class FeaturePassesTest : public testing::Test {
 protected:
  FeaturePassesTest() {
    TinyEfficientNet().write(file_);
    maps_ = open_feature_maps(file_, 64);
    maps_->use_kernels();
  }

  TestFolder folder_;
  std::filesystem::path file_ = folder_.path() / "net.pth";
  std::shared_ptr<FeatureMaps> maps_;
};

TEST_F(FeaturePassesTest, MapsAndGradientsAreLibTorchs) {
  expect_alike(file_, 64, 3, true);
  expect_alike(file_, 64, 1, false);
  expect_alike(file_, 128, 6, true);
}

TEST(FeaturePassesOfThePublishedNetwork, MapsAndGradientsAreLibTorchs) {
  const auto file = find_feature_file();
  if (!file) GTEST_SKIP() << kFeaturePackage << " is not installed";
  expect_alike(*file, 64, 9, true);
  expect_alike(*file, 128, 5, false);
}

// A graph of LibTorch's own would have many nodes and the numbers of all layers.
TEST_F(FeaturePassesTest, AreOneOperator) {
  const torch::Tensor pictures = test_pictures(2, 64, true).requires_grad_();
  const auto maps = (*maps_)(pictures);
  ASSERT_EQ(maps.size(), 3);
  EXPECT_EQ(maps[0].grad_fn(), maps[2].grad_fn());
  ASSERT_EQ(maps[0].grad_fn()->num_outputs(), 1);
  EXPECT_EQ(maps[0].grad_fn()->next_edge(0).function->name(), "torch::autograd::AccumulateGrad");
}

TEST_F(FeaturePassesTest, KeepNothingWhereNobodyWantsAGradient) {
  const torch::Tensor pictures = test_pictures(2, 64, true);
  EXPECT_FALSE((*maps_)(pictures)[0].requires_grad());
  const torch::NoGradGuard no_gradients;
  EXPECT_FALSE((*maps_)(pictures.clone().requires_grad_())[0].requires_grad());
}

TEST_F(FeaturePassesTest, GradientsComeFromTheMapsThatAreUsed) {
  const auto torch_maps = open_feature_maps(file_, 64);
  for (size_t used = 0; used < 3; ++used) {
    const torch::Tensor ours = test_pictures(2, 64, true).requires_grad_(),
                        theirs = test_pictures(2, 64, true).requires_grad_();
    (*maps_)(ours)[used].sum().backward();
    (*torch_maps)(theirs)[used].sum().backward();
    EXPECT_LT(relative_error(ours.grad(), theirs.grad()), kLargestError) << used;
  }
}

TEST_F(FeaturePassesTest, GreyPicturesAreSeenInThreeEqualChannels) {
  const torch::Tensor grey = torch::rand({2, 1, 64, 64}).requires_grad_();
  const auto maps = (*maps_)(grey);
  EXPECT_TRUE(torch::equal(maps[1], (*maps_)(grey.repeat({1, 3, 1, 1}))[1]));
  maps[1].sum().backward();
  EXPECT_EQ(grey.grad().sizes(), grey.sizes());
}

TEST_F(FeaturePassesTest, BitsDoNotDependOnTheNumberOfThreads) {
  const int before = at::get_num_threads();
  const torch::Tensor pictures = test_pictures(7, 64, true);
  at::set_num_threads(1);
  const MapsAndGradient one = look_and_return(*maps_, pictures);
  at::set_num_threads(3);
  const MapsAndGradient three = look_and_return(*maps_, pictures);
  at::set_num_threads(before);
  EXPECT_TRUE(torch::equal(one.gradient, three.gradient));
  for (size_t i = 0; i < one.maps.size(); ++i) EXPECT_TRUE(torch::equal(one.maps[i], three.maps[i]));
}

TEST_F(FeaturePassesTest, SecondDerivativesAreRefused) {
  const torch::Tensor pictures = test_pictures(2, 64, true).requires_grad_();
  const torch::Tensor sum = (*maps_)(pictures)[0].sum();
  EXPECT_THROW(torch::autograd::grad({sum}, {pictures}, {}, /*retain_graph=*/true, /*create_graph=*/true),
               Error);
}

TEST_F(FeaturePassesTest, PicturesOfAnotherSizeGoToLibTorch) {
  const torch::Tensor pictures = test_pictures(2, 128, true);
  EXPECT_TRUE(torch::equal((*maps_)(pictures)[0], (*open_feature_maps(file_, 128))(pictures)[0]));
}

}  // namespace
}  // namespace nowhere
