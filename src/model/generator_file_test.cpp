#include "model/generator_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/test_folder.h"
#include "model/state_dict.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

const ModelConfig kConfig{.nz = 8, .ngf = 4, .img_size = 64};

Value checkpoint(uint64_t seed, const std::string& prefix = "") {
  Generator generator(kConfig);
  initialise(*generator, seed);
  Dict state, file;
  for (const auto& [key, value] : state_dict(*generator).entries) state.add(prefix + *key.text(), value);
  file.add("epoch", 3);
  file.add("G_state_dict", state);
  return file;
}

torch::Tensor first_weight(const LoadedGenerator& loaded) {
  return loaded.generator->named_parameters()["main.0.weight"];
}

LoadedGenerator load(const std::filesystem::path& path) {
  const RunReader run = RunReader::open(path);
  return load_generator(run, run.find());
}

std::string refusal(const std::filesystem::path& path) {
  try {
    load(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    return error.what();
  }
  return "";
}

Value with_settings(Value checkpoint, const std::string& settings) {
  Dict file = *checkpoint.dict();
  file.add("config", settings);
  return file;
}

// A file of a few bytes whose weights claim to have any number of elements.
TEST(GeneratorFile, WeightsThatRepeatThemselvesAreRefusedBeforeMemoryIsTaken) {
  const TestFolder folder;
  const NetworkDescription network = describe_generator({.nz = 4096, .ngf = 4096, .img_size = 512});
  Dict state, file;
  for (const TensorDescription& tensor : network.tensors()) {
    TensorData endless = make_tensor(Dtype::kFloat32, {}, std::vector<uint8_t>(4));
    endless.shape = tensor.shape;
    endless.strides.assign(tensor.shape.size(), 0);
    state.add(tensor.name, endless);
  }
  file.add("G_state_dict", state);
  write_torch_file(folder.path() / "a.pt", file);
  EXPECT_NE(
      refusal(folder.path() / "a.pt").find("main.0.weight is 4096x262144x4x4, but the file holds fewer"),
      std::string::npos)
      << refusal(folder.path() / "a.pt");
}

TEST(GeneratorFile, NoiseIsTakenWhereItFits) {
  const auto taken = [](const torch::Tensor& noise) {
    Dict file;
    file.add("noise", to_data(noise));
    return noise_of_checkpoint(file, 8);
  };
  EXPECT_TRUE(torch::equal(taken(torch::ones({64, 8, 1, 1})), torch::ones({64, 8, 1, 1})));
  EXPECT_EQ(taken(torch::ones({3, 8})).sizes().vec(), (std::vector<int64_t>{3, 8, 1, 1}));
  EXPECT_FALSE(taken(torch::ones({64, 9, 1, 1})).defined());
  EXPECT_FALSE(taken(torch::ones({0, 8})).defined());
  EXPECT_FALSE(taken(torch::ones({5000, 8})).defined());
  EXPECT_FALSE(noise_of_checkpoint(Dict(), 8).defined());
  Dict endless;
  TensorData repeated = to_data(torch::ones({1}));
  repeated.shape = {1024, 8};
  repeated.strides = {0, 0};
  endless.add("noise", repeated);
  EXPECT_FALSE(noise_of_checkpoint(endless, 8).defined());
}

TEST(GeneratorFile, SizesOfTheReferencesFilesAreReadOffTheWeights) {
  const TestFolder folder;
  write_torch_file(folder.path() / "a.pt", checkpoint(1, "module."));
  const LoadedGenerator loaded = load(folder.path() / "a.pt");
  EXPECT_EQ(loaded.config.nz, 8);
  EXPECT_EQ(loaded.config.ngf, 4);
  EXPECT_EQ(loaded.config.img_size, 64);
  EXPECT_EQ(loaded.facts.architecture, "dcgan");
  EXPECT_EQ(loaded.facts.epoch, 3u);
  EXPECT_EQ(loaded.facts.latent_size, 8);
  EXPECT_EQ(loaded.facts.picture_size, 64);
  EXPECT_EQ(loaded.facts.parameters, count_parameters(*loaded.generator));
  EXPECT_EQ(loaded.facts.file_name, "a.pt");
  EXPECT_EQ(loaded.facts.digest.size(), 32u);
}

TEST(GeneratorFile, TheSettingsOfAFileSayWhatItsNetworksAre) {
  const TestFolder folder;
  const ModelConfig config{.architecture = "residual", .nz = 8, .ngf = 4, .img_size = 64};
  Generator generator(config);
  initialise(*generator, 3);
  const std::string settings = R"({"architecture": "residual", "nz": 8, "ngf": 4, "img_size": 64, "lr": 1})";
  write_torch_file(folder.path() / "a.pt", slim_checkpoint(generator, config, 5, 640, settings));
  const LoadedGenerator loaded = load(folder.path() / "a.pt");
  EXPECT_EQ(loaded.config, config);
  EXPECT_EQ(loaded.facts.architecture, "residual");
  EXPECT_EQ(loaded.facts.epoch, 5u);
  EXPECT_EQ(loaded.facts.images_seen, 640);
  EXPECT_TRUE(torch::equal(loaded.generator->named_parameters()["blocks.0.conv1.weight"],
                           generator->named_parameters()["blocks.0.conv1.weight"]));
}

TEST(GeneratorFile, SettingsThatDoNotFitTheWeightsAreRefused) {
  const TestFolder folder;
  const auto refused = [&](const std::string& settings) {
    write_torch_file(folder.path() / "a.pt", with_settings(checkpoint(1), settings));
    return refusal(folder.path() / "a.pt");
  };
  EXPECT_NE(refused(R"({"nz": 8, "ngf": 5, "img_size": 64})").find("main.0.weight is 8x32x4x4"),
            std::string::npos);
  EXPECT_NE(refused(R"({"nz": 8, "ngf": 4, "img_size": 32})").find("main.0.weight"), std::string::npos);
  EXPECT_NE(refused(R"({"architecture": "unheard", "nz": 8})").find("dcgan"), std::string::npos);
  EXPECT_NE(refused("{broken").find("config"), std::string::npos);
  // Such a network would take far more memory than the file could fill.
  EXPECT_NE(refused(R"({"nz": 4096, "ngf": 1024, "img_size": 512})").find("main.0.weight"),
            std::string::npos);
}

TEST(GeneratorFile, AnEpochIsChosen) {
  const TestFolder folder;
  write_torch_file(folder.path() / "checkpoint_1.pt", checkpoint(1));
  write_torch_file(folder.path() / "checkpoint_2.pt", checkpoint(2));
  const RunReader run = RunReader::open(folder.path());
  Generator expected(kConfig);
  initialise(*expected, 1);
  EXPECT_TRUE(torch::equal(first_weight(load_generator(run, run.find(1))),
                           expected->named_parameters()["main.0.weight"]));
}

TEST(GeneratorFile, WeightsThatAreNotNumbersAreRefused) {
  const TestFolder folder;
  for (const double broken : {std::nan(""), HUGE_VAL}) {
    Generator generator(kConfig);
    initialise(*generator, 1);
    {
      const torch::NoGradGuard no_gradients;
      generator->named_parameters()["main.3.weight"].view(-1)[5] = broken;
    }
    Dict file;
    file.add("epoch", 3);
    file.add("G_state_dict", state_dict(*generator));
    write_torch_file(folder.path() / "a.pt", file);
    const std::string words = refusal(folder.path() / "a.pt");
    EXPECT_NE(words.find("a.pt holds weights that are not numbers (main.3.weight)"), std::string::npos)
        << words;
  }
}

TEST(GeneratorFile, OtherFilesAreRefused) {
  const TestFolder folder;
  Dict other, state;
  state.add("fc.weight", to_data(torch::zeros({3, 3})));
  other.add("G_state_dict", state);
  write_torch_file(folder.path() / "y.pt", other);
  EXPECT_NE(refusal(folder.path() / "y.pt").find("not the weights of a generator"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
