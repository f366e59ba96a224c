#include "export/export.h"

#include <gtest/gtest.h>
#include <torch/script.h>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "export/onnx.h"
#include "model/tensors.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr int kLatent = 8;

// A checkpoint whose batch norms have statistics that matter, and whose pictures are not all grey.
fs::path checkpoint_in(const fs::path& folder) {
  Generator generator(ModelConfig{.nz = kLatent, .ngf = 4, .img_size = 32});
  initialise(*generator, 1);
  const torch::NoGradGuard no_gradients;
  for (int i = 0; i < 4; ++i) generator->forward(2 * torch::randn({16, kLatent}) + 1);
  generator->parameters().back().mul_(200);
  Dict file;
  file.add("epoch", 3);
  file.add("G_state_dict", state_dict(*generator));
  write_torch_file(folder / "checkpoint_3.pt", file);
  return folder / "checkpoint_3.pt";
}

size_t files_in(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(Export, TorchScriptDrawsWhatTheGeneratorDraws) {
  const TestFolder folder;
  const fs::path checkpoint = checkpoint_in(folder.path()), output = folder.path() / "new" / "model.ts";
  const Exported exported = export_generator(folder.path(), output);
  EXPECT_EQ(exported.checkpoint, checkpoint);
  EXPECT_EQ(exported.epoch, 3u);
  EXPECT_EQ(exported.bytes, fs::file_size(output));
  const torch::NoGradGuard no_gradients;
  torch::jit::Module module = torch::jit::load(output.string());
  const torch::Tensor z = torch::randn({5, kLatent});
  const torch::Tensor expected = load_generator(checkpoint).generator->forward(z);
  EXPECT_GT(expected.std().item<double>(), 0.01);
  for (const torch::Tensor& input : {z, z.view({5, kLatent, 1, 1})}) {
    const torch::Tensor pictures = module.forward({input}).toTensor();
    EXPECT_EQ(pictures.sizes(), expected.sizes());
    EXPECT_LT((pictures - expected).abs().max().item<double>(), 1e-5);
  }
}

TEST(Export, TheSameCheckpointGivesTheSameBytes) {
  const TestFolder folder;
  const fs::path checkpoint = checkpoint_in(folder.path());
  for (const char* ending : {".ts", ".onnx", ".safetensors"}) {
    std::vector<uint8_t> first, second;
    for (auto* bytes : {&first, &second}) {
      const fs::path output = folder.path() / (std::string("model") + ending);
      export_generator(checkpoint, output);
      ASSERT_TRUE(read_file(output, *bytes));
    }
    EXPECT_TRUE(first == second) << ending;
  }
}

TEST(Export, OnnxEndsAtTwoGigabytes) {
  const TestFolder folder;
  Layer layer{.kind = Layer::Kind::kGrow, .name = "0"};
  layer.parameters.emplace_back("weight", torch::zeros({1}).expand({600'000'000}));  // no memory behind it
  Chain chain;
  chain.layers.push_back(layer);
  try {
    write_onnx(folder.path() / "model.onnx", chain);
    FAIL() << "written";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kFailed);
    EXPECT_NE(std::string(error.what()).find("2 GB"), std::string::npos);
  }
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(Export, AnUnknownEndingIsRefusedBeforeAnythingIsRead) {
  const TestFolder folder;
  try {
    export_generator(folder.path() / "absent.pt", folder.path() / "model.h5");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    for (const char* ending : {".ts", ".onnx", ".safetensors"})
      EXPECT_NE(std::string(error.what()).find(ending), std::string::npos);
  }
}

}  // namespace
}  // namespace nowhere
