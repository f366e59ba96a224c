#include "exchange/export.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <algorithm>
#include <array>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "exchange/onnx_graph.h"
#include "model/architectures/architecture.h"
#include "model/generator_file.h"
#include "model/state_dict.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr int kLatent = 8;

// A checkpoint whose batch norms have statistics that matter, and whose pictures are not all grey.
fs::path checkpoint_in(const fs::path& folder, const std::string& architecture) {
  const ModelConfig config{.architecture = architecture, .nz = kLatent, .ngf = 4, .img_size = 32};
  Generator generator(config);
  initialise(*generator, 1);
  const torch::NoGradGuard no_gradients;
  for (int i = 0; i < 4; ++i) generator(GeneratorInput{2 * torch::randn({16, kLatent, 1, 1}) + 1, {}});
  generator->parameters().back().mul_(200);
  const std::string settings =
      fmt::format(R"({{"architecture": "{}", "nz": {}, "ngf": 4, "img_size": 32}})", architecture, kLatent);
  const fs::path file = folder / "checkpoint_3.pt";
  write_torch_file(file, slim_checkpoint(generator, config, 3, 0, settings));
  return file;
}

Exported export_from(const fs::path& path, const fs::path& output) {
  const RunReader run = RunReader::open(path);
  return export_generator(run, run.find(), output);
}

size_t files_in(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(Export, TorchScriptMakesWhatTheGeneratorMakes) {
  for (const std::string& architecture : architecture_names()) {
    const TestFolder folder;
    const fs::path checkpoint = checkpoint_in(folder.path(), architecture),
                   output = folder.path() / "new" / "model.ts";
    const Exported exported = export_from(folder.path(), output);
    EXPECT_EQ(exported.model.file, checkpoint);
    EXPECT_EQ(exported.model.epoch, 3u);
    EXPECT_EQ(exported.model.architecture, architecture);
    EXPECT_EQ(exported.bytes, fs::file_size(output));
    const torch::NoGradGuard no_gradients;
    torch::jit::Module module = torch::jit::load(output.string());
    const torch::Tensor z = torch::randn({5, kLatent});
    const RunReader run = RunReader::open(checkpoint);
    LoadedGenerator loaded = load_generator(run, run.find());
    const torch::Tensor expected = loaded.generator(GeneratorInput{z.view({5, kLatent, 1, 1}), {}});
    EXPECT_GT(expected.std().item<double>(), 0.01);
    for (const torch::Tensor& input : {z, z.view({5, kLatent, 1, 1})}) {
      const torch::Tensor pictures = module.forward({input}).toTensor();
      EXPECT_EQ(pictures.sizes(), expected.sizes());
      EXPECT_LT((pictures - expected).abs().max().item<double>(), 1e-5);
    }
    // The names are those of the state dict.
    std::vector<std::string> names;
    for (const auto& item : module.named_parameters()) names.push_back(item.name);
    for (const auto& item : loaded.generator->named_parameters())
      EXPECT_NE(std::ranges::find(names, item.key()), names.end()) << item.key();
  }
}

TEST(Export, TheSameCheckpointGivesTheSameBytes) {
  for (const std::string& architecture : architecture_names()) {
    const TestFolder folder;
    const fs::path checkpoint = checkpoint_in(folder.path(), architecture);
    for (const char* ending : {".ts", ".onnx", ".safetensors"}) {
      std::vector<uint8_t> first, second;
      for (auto* bytes : {&first, &second}) {
        const fs::path output = folder.path() / (std::string("model") + ending);
        export_from(checkpoint, output);
        ASSERT_TRUE(read_file(output, *bytes));
      }
      EXPECT_TRUE(first == second) << ending;
    }
  }
}

TEST(Export, OnnxEndsAtTwoGigabytes) {
  const TestFolder folder;
  OnnxGraph graph("generator", "z", "");
  const float number = 0;
  const std::array<int64_t, 1> shape{600'000'000};
  // Its bytes are never looked at: the size alone is refused.
  graph.tensor("weight", OnnxGraph::Element::kFloat32, shape,
               {reinterpret_cast<const uint8_t*>(&number), 2'400'000'000});
  try {
    graph.write(folder.path() / "model.onnx", {});
    FAIL() << "written";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kFailed);
    EXPECT_NE(std::string(error.what()).find("2 GB"), std::string::npos);
  }
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(Export, AnUnknownEndingIsRefused) {
  try {
    check_export_ending("model.h5");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    for (const char* ending : {".ts", ".onnx", ".safetensors"})
      EXPECT_NE(std::string(error.what()).find(ending), std::string::npos);
  }
}

}  // namespace
}  // namespace nowhere
