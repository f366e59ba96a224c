#include "model/networks.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "model/architectures/architecture.h"
#include "model/discriminator.h"

namespace nowhere {
namespace {

const ModelConfig kNaive64{.nz = 100, .ngf = 64, .ndf = 64, .img_size = 64};

TEST(Networks, EverySizeGivesPicturesAndLogits) {
  for (int size : {32, 64, 128, 256, 512}) {
    const ModelConfig config{.nz = 8, .ngf = 1, .ndf = 1, .img_size = size};
    Generator generator(config);
    initialise(*generator, 1);
    const torch::Tensor pictures = generator(draw_input(2, 8, 1, Purpose::kLatent));
    EXPECT_EQ(pictures.sizes(), (std::vector<int64_t>{2, 3, size, size}));
    EXPECT_LE(pictures.abs().max().item<float>(), 1);
    EXPECT_EQ(Discriminator(config)(pictures).sizes(), (std::vector<int64_t>{2, 1}));
    ModelConfig other = config;
    other.d_batch_norm = false;
    other.d_group = 2;
    EXPECT_EQ(Discriminator(other)(pictures).sizes(), (std::vector<int64_t>{2, 1}));
  }
}

TEST(Networks, CanBeTrainedWithAndWithoutBatchNorm) {
  // Wide enough for the CPU's own kernels, with and without batch norm.
  for (const bool batch_norm : {true, false}) {
    const ModelConfig config{
        .nz = 8, .ngf = 64, .ndf = 64, .img_size = 64, .d_batch_norm = batch_norm, .d_group = 4};
    Generator generator(config);
    Discriminator discriminator(config);
    discriminator(generator(draw_input(32, 8, 1, Purpose::kLatent))).sum().backward();
    for (const auto& parameter : generator->parameters()) EXPECT_TRUE(parameter.grad().defined());
    for (const auto& parameter : discriminator->parameters()) EXPECT_TRUE(parameter.grad().defined());
  }
}

TEST(Networks, NamesAreTheReferences) {
  const ModelConfig config = kNaive64;
  const auto generator = Generator(config)->named_parameters();
  EXPECT_EQ(generator["main.0.weight"].sizes(), (std::vector<int64_t>{100, 512, 4, 4}));
  EXPECT_EQ(generator["main.1.bias"].sizes(), (std::vector<int64_t>{512}));
  EXPECT_EQ(generator["main.12.weight"].sizes(), (std::vector<int64_t>{64, 3, 4, 4}));
  const auto discriminator = Discriminator(config)->named_parameters();
  EXPECT_EQ(discriminator["main.0.weight"].sizes(), (std::vector<int64_t>{64, 3, 4, 4}));
  EXPECT_EQ(discriminator["main.3.weight"].sizes(), (std::vector<int64_t>{128}));
  EXPECT_EQ(discriminator["main.11.weight"].sizes(), (std::vector<int64_t>{1, 512, 4, 4}));
  EXPECT_TRUE(Discriminator(config)->named_buffers().contains("main.3.running_mean"));
}

TEST(Networks, TensorsAreThoseOfTheDescription) {
  for (const std::string& name : architecture_names()) {
    const ModelConfig config{.architecture = name,
                             .nz = 8,
                             .ngf = 4,
                             .ndf = 4,
                             .img_size = 64,
                             .d_batch_norm = true,
                             .d_group = 2};
    const auto expect_same = [](const NetworkImpl& network) {
      std::vector<std::pair<std::string, std::vector<int64_t>>> described, made;
      for (const TensorDescription& tensor : network.description().tensors())
        described.emplace_back(tensor.name, tensor.shape);
      for (const auto& group : {network.named_parameters(), network.named_buffers()})
        for (const auto& item : group) made.emplace_back(item.key(), item.value().sizes().vec());
      EXPECT_EQ(made, described);  // also in the same order: optimizers count parameters
      EXPECT_EQ(network.description().parameters(), count_parameters(network));
    };
    expect_same(*Generator(config));
    expect_same(*Discriminator(config));
  }
}

TEST(Networks, OutputsHaveTheDescribedShapes) {
  for (const std::string& name : architecture_names()) {
    const ModelConfig config{.architecture = name, .nz = 8, .ngf = 4, .ndf = 4, .img_size = 32};
    Generator generator(config);
    const MapShape& shape = generator->description().output();
    EXPECT_EQ(generator(draw_input(3, 8, 1, Purpose::kLatent)).sizes(),
              (std::vector<int64_t>{3, shape.channels, shape.height, shape.width}))
        << name;
  }
}

TEST(Networks, InitialisationIsTheSeeds) {
  const ModelConfig config = kNaive64;
  Generator a(config), b(config), c(config);
  initialise(*a, 7);
  initialise(*b, 7);
  initialise(*c, 8);
  for (const auto& item : a->named_parameters())
    EXPECT_TRUE(torch::equal(item.value(), b->named_parameters()[item.key()]));
  const torch::Tensor weight = a->named_parameters()["main.3.weight"];
  EXPECT_FALSE(torch::equal(weight, c->named_parameters()["main.3.weight"]));
  EXPECT_NEAR(weight.std().item<double>(), 0.02, 0.0005);
  EXPECT_NEAR(weight.mean().item<double>(), 0, 0.0005);
  EXPECT_NEAR(a->named_parameters()["main.1.weight"].mean().item<double>(), 1, 0.01);
  EXPECT_EQ(a->named_parameters()["main.1.bias"].abs().max().item<double>(), 0);
}

TEST(Networks, AGroupOfEqualsShows) {
  const ModelConfig config{.nz = 8, .ngf = 2, .ndf = 4, .img_size = 32, .d_batch_norm = false, .d_group = 2};
  Discriminator discriminator(config);
  initialise(*discriminator, 3);
  torch::manual_seed(1);
  const torch::Tensor a = torch::rand({1, 3, 32, 32}), b = torch::rand({1, 3, 32, 32});
  // The same picture gets another verdict beside an equal than beside another one, and groups do not mix.
  const torch::Tensor verdict = discriminator(torch::cat({a, a, a, b}));
  const float difference = (verdict[0] - verdict[2]).abs().item<float>();
  EXPECT_GT(difference, 0);
  EXPECT_NEAR(verdict[0].item<float>(), discriminator(torch::cat({a, a}))[0].item<float>(),
              1e-3 * difference);
}

TEST(Networks, OurKernelsComputeWhatLibTorchDoes) {
  const ModelConfig config{.nz = 20, .ngf = 8, .ndf = 8, .img_size = 32};
  torch::manual_seed(1);
  const torch::Tensor noise = torch::randn({6, 20, 1, 1});
  std::vector<torch::Tensor> results[2];
  for (const Kernels kernels : {Kernels::kAuto, Kernels::kTorch}) {
    Generator G(config, kernels);
    Discriminator D(config, nullptr, kernels);
    initialise(*G, 1);
    initialise(*D, 2);
    const torch::Tensor logits = D(G(GeneratorInput{noise, {}}));
    logits.square().mean().backward();
    auto& found = results[kernels == Kernels::kAuto ? 0 : 1];
    found.push_back(logits.detach());
    for (const torch::Tensor& parameter : G->parameters()) found.push_back(parameter.grad());
    for (const torch::Tensor& parameter : D->parameters()) found.push_back(parameter.grad());
  }
  ASSERT_EQ(results[0].size(), results[1].size());
  for (size_t i = 0; i < results[0].size(); ++i) {
    const double largest = results[1][i].abs().max().item<double>();
    EXPECT_LT((results[0][i] - results[1][i]).abs().max().item<double>(), 1e-4 * largest + 1e-9) << i;
  }
}

TEST(ModelConfig, SizesAreChecked) {
  for (int size : {0, 16, 48, 1024}) EXPECT_THROW(Generator(ModelConfig{.img_size = size}), Error) << size;
}

}  // namespace
}  // namespace nowhere
