#include "model/generator_file.h"

#include <gtest/gtest.h>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/test_folder.h"
#include "model/checkpoint_files.h"
#include "model/tensors.h"

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

std::string refusal(const std::filesystem::path& path) {
  try {
    load_generator(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    return error.what();
  }
  return "";
}

TEST(GeneratorFile, SizesAreReadOffTheWeights) {
  const TestFolder folder;
  write_torch_file(folder.path() / "a.pt", checkpoint(1, "module."));
  const LoadedGenerator loaded = load_generator(folder.path() / "a.pt");
  EXPECT_EQ(loaded.config.nz, 8);
  EXPECT_EQ(loaded.config.ngf, 4);
  EXPECT_EQ(loaded.config.img_size, 64);
  EXPECT_EQ(loaded.epoch, 3u);
}

TEST(GeneratorFile, ADirectoryGivesItsNewestAndSlimBeforeFull) {
  const TestFolder folder;
  write_torch_file(folder.path() / "checkpoint_9.pt", checkpoint(1));
  write_torch_file(folder.path() / "checkpoint_10.pt", checkpoint(2));
  EXPECT_EQ(load_generator(folder.path()).file.filename(), "checkpoint_10.pt");
  write_torch_file(folder.path() / "slim_checkpoint_10.pt", checkpoint(3));
  EXPECT_EQ(load_generator(folder.path()).file.filename(), "slim_checkpoint_10.pt");
}

TEST(GeneratorFile, AnEpochIsChosenAndOneWithinAnEpochIsTheNewest) {
  const TestFolder folder;
  write_torch_file(folder.path() / "checkpoint_1.pt", checkpoint(1));
  write_torch_file(folder.path() / "slim_checkpoint_2.pt", checkpoint(2));
  write_torch_file(folder.path() / "checkpoint_2_batch_7.pt", checkpoint(3));
  EXPECT_EQ(load_generator(folder.path()).file.filename(), "checkpoint_2_batch_7.pt");
  EXPECT_EQ(load_generator(folder.path(), 2).file.filename(), "slim_checkpoint_2.pt");
  EXPECT_EQ(saved_epochs(folder.path()), (std::vector<uint64_t>{1, 2}));
  EXPECT_THROW(load_generator(folder.path(), 3), Error);
  EXPECT_THROW(load_generator(folder.path() / "checkpoint_1.pt", 1), Error);
  EXPECT_THROW(load_generator(folder.path() / "absent"), Error);
}

TEST(GeneratorFile, TheOriginalsBrokenSlimFilesLeadToTheFullOnes) {
  const TestFolder folder;
  Dict broken;
  broken.add("epoch", 3);
  broken.add("G_state_dict", 3);
  write_torch_file(folder.path() / "slim_checkpoint_3.pt", broken);
  EXPECT_NE(refusal(folder.path() / "slim_checkpoint_3.pt").find("checkpoint_3.pt beside it"),
            std::string::npos);
  write_torch_file(folder.path() / "checkpoint_3.pt", checkpoint(7));
  const LoadedGenerator loaded = load_generator(folder.path() / "slim_checkpoint_3.pt");
  EXPECT_EQ(loaded.file.filename(), "checkpoint_3.pt");
  Generator expected(kConfig);
  initialise(*expected, 7);
  EXPECT_TRUE(torch::equal(first_weight(loaded), expected->named_parameters()["main.0.weight"]));
}

TEST(GeneratorFile, OtherFilesAreRefused) {
  const TestFolder folder;
  EXPECT_NE(refusal(folder.path()).find("holds no checkpoint"), std::string::npos);
  write_torch_file(folder.path() / "x.pt", Dict());
  EXPECT_NE(refusal(folder.path() / "x.pt").find("not a checkpoint"), std::string::npos);
  Dict other, state;
  state.add("fc.weight", to_data(torch::zeros({3, 3})));
  other.add("G_state_dict", state);
  write_torch_file(folder.path() / "y.pt", other);
  EXPECT_NE(refusal(folder.path() / "y.pt").find("not the weights of a generator"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
