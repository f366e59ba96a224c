#include "model/feature_maps.h"

#include <gtest/gtest.h>
#include <torch/script.h>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "model/test_features.h"

namespace nowhere {
namespace {

namespace F = torch::nn::functional;

// The network as it is published: SAME padding, batch norm on its own.
class Published {
 public:
  explicit Published(const TinyEfficientNet& network) : tensors_(network.tensors) {}

  std::vector<torch::Tensor> operator()(const torch::Tensor& pictures) {
    std::vector<torch::Tensor> maps;
    torch::Tensor x = convolve(pictures, "_conv_stem", "_bn0", 2).clamp(0, 6);
    const int strides[] = {1, 2, 1, 2, 1, 2, 1, 1};  // of the blocks
    for (int block = 0; block < 8; ++block) {
      const std::string name = fmt::format("_blocks.{}.", block);
      torch::Tensor y = x;
      if (tensors_.contains(name + "_expand_conv.weight"))
        y = convolve(y, name + "_expand_conv", name + "_bn0", 1).clamp(0, 6);
      y = convolve(y, name + "_depthwise_conv", name + "_bn1", strides[block]).clamp(0, 6);
      y = convolve(y, name + "_project_conv", name + "_bn2", 1);
      x = y.sizes() == x.sizes() ? x + y : y;
      if (block == 2 || block == 4 || block == 7) maps.push_back(x);
    }
    return maps;
  }

 private:
  torch::Tensor convolve(const torch::Tensor& x, const std::string& name, const std::string& norm,
                         int64_t stride) {
    const torch::Tensor weight = tensors_.at(name + ".weight");
    const int64_t kernel = weight.size(2), side = x.size(2), out = (side + stride - 1) / stride;
    const int64_t all = std::max<int64_t>(0, (out - 1) * stride + kernel - side), before = all / 2;
    const torch::Tensor padded = torch::constant_pad_nd(x, {before, all - before, before, all - before});
    const int64_t groups = weight.size(1) == 1 && kernel > 1 ? weight.size(0) : 1;
    return torch::batch_norm(at::conv2d(padded, weight, {}, at::IntArrayRef{stride, stride},
                                        at::IntArrayRef{0, 0}, at::IntArrayRef{1, 1}, groups),
                             tensors_.at(norm + ".weight"), tensors_.at(norm + ".bias"),
                             tensors_.at(norm + ".running_mean"), tensors_.at(norm + ".running_var"), false,
                             0, 1e-3, false);
  }

  std::map<std::string, torch::Tensor> tensors_;
};

TEST(FeatureMaps, AreThoseOfThePublishedNetwork) {
  const TestFolder folder;
  const TinyEfficientNet network;
  network.write(folder.path() / "net.pth");
  for (const int size : {64, 128}) {
    const auto maps = open_feature_maps(folder.path() / "net.pth", size);
    EXPECT_EQ(
        maps->shapes(),
        (std::vector<MapShape>{{5, size / 4, size / 4}, {6, size / 8, size / 8}, {8, size / 16, size / 16}}));
    const torch::Tensor pictures = torch::rand({2, 3, size, size}) * 2 - 1;
    const auto ours = (*maps)(pictures), expected = Published(network)(pictures);
    ASSERT_EQ(ours.size(), expected.size());
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_TRUE(torch::allclose(ours[i], expected[i], 1e-4, 1e-4)) << size << " " << i;
  }
}

TEST(FeatureMaps, LetGradientsThroughAndKeepNone) {
  const TestFolder folder;
  TinyEfficientNet().write(folder.path() / "net.pth");
  const auto maps = open_feature_maps(folder.path() / "net.pth", 64);
  const torch::Tensor pictures = torch::rand({2, 3, 64, 64});
  EXPECT_FALSE((*maps)(pictures)[2].requires_grad());
  const torch::Tensor wanting = pictures.clone().requires_grad_();
  (*maps)(wanting)[2].sum().backward();
  EXPECT_GT(wanting.grad().abs().sum().item<double>(), 0);
}

TEST(FeatureMaps, GreyPicturesAreSeenInThreeEqualChannels) {
  const TestFolder folder;
  TinyEfficientNet().write(folder.path() / "net.pth");
  const auto maps = open_feature_maps(folder.path() / "net.pth", 64);
  const torch::Tensor grey = torch::rand({2, 1, 64, 64});
  EXPECT_TRUE(torch::equal((*maps)(grey)[0], (*maps)(grey.repeat({1, 3, 1, 1}))[0]));
}

TEST(FeatureMaps, AScriptMayGiveThemToo) {
  const TestFolder folder;
  torch::jit::Module script("pool");
  script.define(
      "def forward(self, x):\n"
      "    return torch.avg_pool2d(x, [4, 4]), torch.avg_pool2d(x, [8, 8])\n");
  script.save((folder.path() / "pool.ts").string());
  const auto maps = open_feature_maps(folder.path() / "pool.ts", 64);
  EXPECT_EQ(maps->shapes(), (std::vector<MapShape>{{3, 16, 16}, {3, 8, 8}}));
  EXPECT_EQ(maps->name(), "pool.ts");
}

std::string refused_maps(const std::filesystem::path& file) {
  try {
    open_feature_maps(file, 64);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    return error.what();
  }
  return "";
}

TEST(FeatureMaps, OtherFilesAreRefused) {
  const TestFolder folder;
  EXPECT_NE(refused_maps(folder.path() / "missing.pth").find("missing.pth"), std::string::npos);
  write_file(folder.path() / "text.pth", std::string("not a network"));
  EXPECT_NE(refused_maps(folder.path() / "text.pth").find("neither"), std::string::npos);
  TinyEfficientNet network;
  network.tensors.erase("_blocks.3._bn1.running_var");
  network.write(folder.path() / "part.pth");
  EXPECT_NE(refused_maps(folder.path() / "part.pth").find("neither"), std::string::npos);
  network = {};
  network.tensors["_blocks.3._bn1.bias"][0] = std::numeric_limits<float>::quiet_NaN();
  network.write(folder.path() / "nan.pth");
  EXPECT_NE(refused_maps(folder.path() / "nan.pth").find("not numbers"), std::string::npos);
  torch::jit::Module script("rows");
  script.define("def forward(self, x):\n    return x.mean([2, 3])\n");
  script.save((folder.path() / "rows.ts").string());
  EXPECT_NE(refused_maps(folder.path() / "rows.ts").find("no feature maps"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
