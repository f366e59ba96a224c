#include "model/fast_generator.h"

#include <gtest/gtest.h>

#include "model/pictures.h"

namespace nowhere {
namespace {

// Running statistics and norms that are not those of a new network.
Generator lived_in(const ModelConfig& config) {
  torch::manual_seed(5);
  Generator generator(config);
  initialise(*generator, 1);
  for (auto& buffer : generator->named_buffers()) {
    if (buffer.key().ends_with("running_mean")) buffer.value().normal_(0, 0.2);
    if (buffer.key().ends_with("running_var")) buffer.value().uniform_(0.001, 0.1);
  }
  for (auto& parameter : generator->named_parameters())
    if (parameter.key().ends_with("bias")) parameter.value().data().normal_(0, 0.3);
  generator->eval();
  return generator;
}

TEST(FastGenerator, MakesTheNetworksPictures) {
  for (int size : {32, 64, 128, 256}) {
    Generator generator = lived_in({.nz = 12, .ngf = 6, .ndf = 4, .img_size = size});
    const torch::NoGradGuard no_gradients;
    const torch::Tensor z = torch::randn({19, 12, 1, 1});
    const torch::Tensor expected = generator(z).permute({0, 2, 3, 1}), made = FastGenerator(generator)(z);
    ASSERT_EQ(made.sizes(), expected.sizes());
    EXPECT_GT(expected.std().item<double>(), 0.05);  // there is something to see
    EXPECT_LT((made - expected).abs().max().item<double>(), 1e-5);
  }
}

TEST(FastGenerator, APictureDependsOnItsVectorAlone) {
  Generator generator = lived_in({.nz = 100, .ngf = 64, .ndf = 4, .img_size = 64});  // as wide as it is used
  const FastGenerator fast(generator);
  const torch::Tensor z = torch::randn({40, 100});
  const torch::Tensor together = fast(z);
  for (int64_t i : {0, 7, 15, 16, 39})
    EXPECT_TRUE(torch::equal(fast(z.narrow(0, i, 1))[0], together[i])) << i;
  const torch::Tensor backwards = fast(z.flip(0));
  EXPECT_TRUE(torch::equal(backwards.flip(0), together));
  EXPECT_TRUE(torch::equal(FastGenerator(generator, 3)(z), together));
}

TEST(FastGenerator, ImagesAreThePicturesInBytes) {
  Generator generator = lived_in({.nz = 12, .ngf = 6, .ndf = 4, .img_size = 32});
  const FastGenerator fast(generator);
  const torch::Tensor z = torch::randn({21, 12});
  const std::vector<Image> images = fast.images(z), expected = to_images(fast(z).permute({0, 3, 1, 2}));
  ASSERT_EQ(images.size(), expected.size());
  for (size_t i = 0; i < images.size(); ++i) EXPECT_EQ(images[i].pixels, expected[i].pixels) << i;
  EXPECT_TRUE(fast.images(torch::empty({0, 12})).empty());
}

}  // namespace
}  // namespace nowhere
