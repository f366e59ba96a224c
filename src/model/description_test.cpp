#include "model/description.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "model/architectures/architecture.h"

namespace nowhere {
namespace {

NetworkDescription pixel_discriminator(const ModelConfig& config) {
  return architecture(config.architecture).discriminator(config);
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NetworkDescription, KnowsTheShapesOfItsLayers) {
  NetworkDescription network({3, 64, 64});
  const size_t half = network.add("a", Convolution{.channels = 8, .kernel = 4, .stride = 2, .padding = 1});
  EXPECT_EQ(network.output(), (MapShape{8, 32, 32}));
  const size_t back =
      network.add("b", TransposedConvolution{.channels = 8, .kernel = 4, .stride = 2, .padding = 1});
  EXPECT_EQ(network.output(), (MapShape{8, 64, 64}));
  const size_t large = network.add("c", UpsampleNearest{}, {half});
  EXPECT_EQ(network.output(), (MapShape{8, 64, 64}));
  network.add("d", Sum(), {back, large});
  EXPECT_EQ(network.output(), (MapShape{8, 64, 64}));
  network.add("e", Concatenate(), {back, large});
  EXPECT_EQ(network.output(), (MapShape{16, 64, 64}));
  network.add("f", GroupSpread{4});
  EXPECT_EQ(network.output(), (MapShape{1, 64, 64}));
}

TEST(NetworkDescription, RefusesWhatDoesNotFitAndNamesTheLayer) {
  NetworkDescription network({3, 8, 8});
  const size_t half = network.add("half", Convolution{.channels = 3, .kernel = 4, .stride = 2, .padding = 1});
  EXPECT_NE(refusal([&] { network.add("odd", Sum(), {0, half}); }).find("layer odd"), std::string::npos);
  EXPECT_NE(refusal([&] { network.add("odd", Concatenate(), {0, half}); }).find("sizes"), std::string::npos);
  EXPECT_NE(refusal([&] { network.add("odd", Relu(), {0, half}); }).find("inputs"), std::string::npos);
  EXPECT_NE(refusal([&] { network.add("odd", Relu(), {7}); }).find("later"), std::string::npos);
  EXPECT_NE(refusal([&] { network.add("half", Relu()); }).find("twice"), std::string::npos);
  EXPECT_NE(refusal([&] { network.add("odd", Convolution{.channels = 1, .kernel = 9}); }).find("kernel"),
            std::string::npos);
  EXPECT_EQ(network.layers().size(), 2u);
}

TEST(NetworkDescription, CountsParametersAndMultiplicationsByHand) {
  NetworkDescription network({2, 4, 4});
  network.add("conv", Convolution{.channels = 3, .kernel = 3, .padding = 1});
  network.add("norm", BatchNorm());
  network.add("relu", Relu());
  network.add("up", TransposedConvolution{.channels = 5, .kernel = 4, .stride = 2, .padding = 1});
  EXPECT_EQ(network.parameters(), 2 * 3 * 9 + 2 * 3 + 3 * 5 * 16);
  EXPECT_EQ(network.multiplications(), 4 * 4 * 2 * 3 * 9 + 4 * 4 * 3 * 5 * 16);
  // The input, the convolution, the norm (ReLU works in place on it) and the transposed convolution.
  EXPECT_EQ(network.activations(), 2 * 16 + 3 * 16 + 3 * 16 + 5 * 64);
}

TEST(NetworkDescription, AnActivationIsInPlaceOnlyWhereNobodyElseNeedsItsInput) {
  NetworkDescription network({2, 4, 4});
  const size_t first = network.add("relu of the input", Relu());
  const size_t conv = network.add("conv", Convolution{.channels = 2, .kernel = 1});
  const size_t shared = network.add("shared", Relu());
  const size_t sum = network.add("sum", Sum(), {conv, shared});
  const size_t after_sum = network.add("after sum", LeakyRelu());
  const size_t twice = network.add("twice", Relu());
  EXPECT_FALSE(network.in_place(first));   // the caller's memory
  EXPECT_FALSE(network.in_place(shared));  // the sum takes the convolution too
  EXPECT_FALSE(network.in_place(sum));
  EXPECT_TRUE(network.in_place(after_sum));
  EXPECT_FALSE(network.in_place(twice));  // the gradient of the activation before needs its output
}

TEST(Architectures, ParameterCountsAreTheWriteUps) {
  struct Row {
    int nz, ngf, ndf, img_size;
    int64_t generator, discriminator;
  };
  for (const Row& row :
       {Row{100, 64, 64, 64, 3'576'704, 2'765'568}, Row{256, 256, 64, 64, 52'448'768, 2'765'568},
        Row{128, 128, 32, 128, 48'772'864, 2'796'928}, Row{256, 256, 128, 128, 195'063'296, 44'611'072}}) {
    const ModelConfig config{.nz = row.nz, .ngf = row.ngf, .ndf = row.ndf, .img_size = row.img_size};
    EXPECT_EQ(describe_generator(config).parameters(), row.generator);
    EXPECT_EQ(pixel_discriminator(config).parameters(), row.discriminator);
  }
}

TEST(Architectures, EveryOneMakesPicturesAndLogitsOfEverySize) {
  for (const Architecture& row : architectures())
    for (int size : {32, 64, 128, 256, 512}) {
      const ModelConfig config{.architecture = row.name, .nz = 8, .ngf = 2, .ndf = 2, .img_size = size};
      EXPECT_EQ(describe_generator(config).output(), (MapShape{3, size, size})) << row.name;
      EXPECT_EQ(pixel_discriminator(config).output(), (MapShape{1, 1, 1})) << row.name;
    }
}

TEST(Architectures, AnUnknownOneIsRefusedWithTheList) {
  EXPECT_NE(refusal([] { architecture("dcgam"); }).find("dcgan, residual"), std::string::npos);
}

TEST(Architectures, TheReferencesSizesAreRecognised) {
  const ModelConfig config{.nc = 1, .nz = 20, .ngf = 6, .ndf = 5, .img_size = 128};
  TensorShapes generator, discriminator;
  for (const TensorDescription& tensor : describe_generator(config).tensors())
    generator[tensor.name] = tensor.shape;
  for (const TensorDescription& tensor : pixel_discriminator(config).tensors())
    discriminator[tensor.name] = tensor.shape;
  const auto recognise = architecture("dcgan").recognise;
  EXPECT_EQ(recognise(generator, discriminator), config);
  EXPECT_EQ(recognise(generator, {})->img_size, 128);
  generator["main.3.weight"][1] += 1;  // no longer a chain
  EXPECT_FALSE(recognise(generator, discriminator));
  EXPECT_FALSE(recognise({}, {}));
}

TEST(ModelConfig, SettingsOfEarlierVersionsAreUnderstood) {
  const auto streets = upgraded_settings({{"recipe", "streets"}, {"nz", 64}});
  EXPECT_EQ(streets, (boost::json::object{
                         {"nz", 64}, {"loss", "relativistic"}, {"d_batch_norm", false}, {"d_joint", true}}));
  EXPECT_FALSE(ModelConfig::from_json({{"recipe", "streets"}}, "it").d_batch_norm);
  EXPECT_TRUE(ModelConfig::from_json({{"recipe", "classic"}, {"lr", 1}}, "it").d_batch_norm);
  EXPECT_TRUE(upgraded_settings({{"recipe", "unheard"}}).contains("recipe"));
}

}  // namespace
}  // namespace nowhere
