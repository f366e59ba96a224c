#include "model/fast_generator.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "model/architectures/dcgan.h"

#include "tensor/pictures.h"

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
  for (const auto& [channels, size] : {std::pair(3, 32), {3, 64}, {3, 128}, {3, 256}, {1, 32}, {1, 128}}) {
    Generator generator = lived_in({.nc = channels, .nz = 12, .ngf = 6, .ndf = 4, .img_size = size});
    const torch::NoGradGuard no_gradients;
    const GeneratorInput z = draw_input(19, 12, 1, Purpose::kLatent);
    const torch::Tensor expected = generator(z).permute({0, 2, 3, 1}),
                        made = make_pictures(FastGenerator(generator), z);
    ASSERT_EQ(made.sizes(), expected.sizes());
    EXPECT_GT(expected.std().item<double>(), 0.05);                 // there is something to see
    EXPECT_LT((made - expected).abs().max().item<double>(), 3e-5);  // a byte is 8e-3
  }
}

TEST(FastGenerator, APictureDependsOnItsVectorAlone) {
  Generator generator = lived_in({.nz = 100, .ngf = 64, .ndf = 4, .img_size = 64});  // as wide as it is used
  const FastGenerator fast(generator);
  const GeneratorInput z = draw_input(40, 100, 1, Purpose::kLatent);
  const torch::Tensor together = make_pictures(fast, z);
  for (int64_t i : {0, 7, 15, 16, 39})
    EXPECT_TRUE(torch::equal(make_pictures(fast, z.narrow(i, 1))[0], together[i])) << i;
  const torch::Tensor backwards = make_pictures(fast, {z.latent.flip(0), {}});
  EXPECT_TRUE(torch::equal(backwards.flip(0), together));
  EXPECT_TRUE(torch::equal(make_pictures(FastGenerator(generator, 3), z), together));
}

TEST(FastGenerator, ManyPicturesAreThoseOfFew) {
  Generator generator = lived_in({.nz = 12, .ngf = 6, .ndf = 4, .img_size = 32});
  const GeneratorInput z = draw_input(110, 12, 1, Purpose::kLatent);  // several rounds of 48 on one thread
  const FastGenerator one(generator, 1);
  const torch::Tensor expected = make_pictures(one, z);
  for (const int64_t i : {0, 47, 48, 109})
    EXPECT_TRUE(torch::equal(make_pictures(one, z.narrow(i, 1))[0], expected[i])) << i;
  for (const int threads : {2, 3})
    EXPECT_TRUE(torch::equal(make_pictures(FastGenerator(generator, threads), z), expected)) << threads;
}

TEST(FastGenerator, ImagesAreThePicturesInBytes) {
  Generator generator = lived_in({.nz = 12, .ngf = 6, .ndf = 4, .img_size = 32});
  const FastGenerator fast(generator);
  const GeneratorInput z = draw_input(21, 12, 1, Purpose::kLatent);
  const std::vector<Image> images = make_images(fast, z),
                           expected = to_images(make_pictures(fast, z).permute({0, 3, 1, 2}));
  ASSERT_EQ(images.size(), expected.size());
  for (size_t i = 0; i < images.size(); ++i) EXPECT_EQ(images[i].pixels, expected[i].pixels) << i;
  EXPECT_TRUE(make_images(fast, z.narrow(0, 0)).empty());
}

TEST(FastGenerator, NamesTheLayerThatItDoesNotMake) {
  const Generator generator(
      ModelConfig{.architecture = "residual", .nz = 12, .ngf = 2, .ndf = 4, .img_size = 32});
  const auto supported = FastGenerator::supports(generator->description());
  ASSERT_FALSE(supported);
  EXPECT_NE(supported.error().reason.find("blocks.0.upsample (nearest upsampling)"), std::string::npos)
      << supported.error().reason;
  EXPECT_THROW(FastGenerator fast(generator), Error);
  EXPECT_TRUE(FastGenerator::supports(dcgan_generator({.nz = 12, .ngf = 2, .img_size = 512})));
}

TEST(FastGenerator, AChainWithAnotherKernelIsNotTakenForOurs) {
  NetworkDescription network({8, 1, 1});
  network.add("a", TransposedConvolution{.channels = 4, .kernel = 4});
  network.add("b", BatchNorm());
  network.add("c", Relu());
  network.add("d", TransposedConvolution{.channels = 3, .kernel = 6, .stride = 2, .padding = 2});
  network.add("e", Tanh());
  const auto supported = FastGenerator::supports(network);
  ASSERT_FALSE(supported);
  EXPECT_NE(supported.error().reason.find("layer d"), std::string::npos);
}

TEST(PictureBackend, ADifferentArchitectureIsMadeByLibTorchAndStaysIndependentOfItsBatch) {
  torch::manual_seed(6);
  Generator generator(ModelConfig{.architecture = "residual", .nz = 12, .ngf = 4, .ndf = 4, .img_size = 32});
  initialise(*generator, 2);
  generator(draw_input(64, 12, 3, Purpose::kLatent));  // statistics of its own
  const auto backend = picture_backend(generator);
  EXPECT_EQ(dynamic_cast<const FastGenerator*>(backend.get()), nullptr);
  const GeneratorInput z = draw_input(9, 12, 1, Purpose::kLatent);
  const torch::Tensor together = make_pictures(*backend, z);
  EXPECT_EQ(together.sizes(), (std::vector<int64_t>{9, 32, 32, 3}));
  for (int64_t i : {0, 4, 8})
    EXPECT_TRUE(torch::equal(make_pictures(*backend, z.narrow(i, 1))[0], together[i])) << i;
  EXPECT_TRUE(generator->is_training());  // as it was
}

}  // namespace
}  // namespace nowhere
