#include "train/initial.h"

#include <gtest/gtest.h>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/test_folder.h"
#include "model/state_dict.h"

namespace nowhere {
namespace {

TrainConfig sized(int ngf, uint64_t seed) {
  TrainConfig config;
  config.model = {.nz = 16, .ngf = ngf, .ndf = 4, .img_size = 32};
  config.seed = seed;
  config.ema_kimg = 1;
  return config;
}

Players made(const TrainConfig& config) {
  return {config, torch::kCPU, Precision::kFloat32};
}

// With a generator, an average that differs from it, and a discriminator.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder, const Players& players) {
  Dict file;
  file.add("epoch", 3);
  file.add("G_state_dict", state_dict(*players.generator.network));
  file.add("G_ema_state_dict", state_dict(**players.average));
  file.add("D_state_dict", state_dict(*players.discriminator.network));
  write_torch_file(folder / "other.pt", file);
  return folder / "other.pt";
}

std::string begin(const std::filesystem::path& file, Players& players) {
  return begin_with(read_initial(RunReader::open(file), sized(4, 0).model), players);
}

TEST(Initial, TakesBothNetworksOfTheSameSize) {
  const TestFolder folder;
  Players from = made(sized(4, 1)), to = made(sized(4, 2));
  const torch::NoGradGuard no_gradients;
  (*from.average)->parameters().front().add_(1);
  const std::string said = begin(write_checkpoint(folder.path(), from), to);
  EXPECT_NE(said.find("of G"), std::string::npos);
  const torch::Tensor expected = (*from.average)->parameters().front();
  EXPECT_TRUE(torch::equal(to.generator.network->parameters().front(), expected));
  EXPECT_TRUE(torch::equal((*to.average)->parameters().front(), expected));
  EXPECT_TRUE(torch::equal(to.discriminator.network->parameters().front(),
                           from.discriminator.network->parameters().front()));
}

TEST(Initial, LeavesWhatDoesNotFit) {
  const TestFolder folder;
  Players from = made(sized(4, 1));
  TrainConfig wider = sized(4, 2);
  wider.model.ndf = 8;
  Players to = made(wider);
  const torch::Tensor before = to.discriminator.network->parameters().front().clone();
  const std::string said = begin(write_checkpoint(folder.path(), from), to);
  EXPECT_TRUE(torch::equal(to.discriminator.network->parameters().front(), before)) << said;
}

TEST(Initial, AnotherGeneratorIsRefused) {
  const TestFolder folder;
  Players from = made(sized(4, 1));
  TrainConfig config = sized(5, 2);
  config.model.nz = 7;
  const auto file = write_checkpoint(folder.path(), from);
  EXPECT_THROW(read_initial(RunReader::open(file), config.model), Error);
}

}  // namespace
}  // namespace nowhere
