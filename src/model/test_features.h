// A tiny network in the form of EfficientNet-Lite's published weights, for tests.
#pragma once

#include <fmt/core.h>
#include <torch/torch.h>

#include <filesystem>
#include <map>
#include <string>

#include "archive/torch_file.h"
#include "tensor/tensors.h"

namespace nowhere {

class TinyEfficientNet {
 public:
  TinyEfficientNet() {
    torch::manual_seed(5);
    convolution("_conv_stem", "_bn0", 4, 3, 3);
    // channels of the stages; two blocks in some; the last stage is beyond stride 16
    int block = 0;
    int64_t in = 4;
    for (const auto& [out, kernel, count] :
         {Stage{3, 3, 1}, {5, 3, 2}, {6, 5, 2}, {7, 3, 1}, {8, 5, 2}, {9, 5, 1}})
      for (int i = 0; i < count; ++i, ++block) {
        const std::string name = fmt::format("_blocks.{}.", block);
        const int64_t wide = block == 0 ? in : 2 * in;
        if (block > 0) convolution(name + "_expand_conv", name + "_bn0", wide, in, 1);
        convolution(name + "_depthwise_conv", name + "_bn1", wide, 1, kernel);
        convolution(name + "_project_conv", name + "_bn2", out, wide, 1);
        in = out;
      }
  }

  std::map<std::string, torch::Tensor> tensors;

  void write(const std::filesystem::path& path) const {
    Dict state;
    for (const auto& [name, tensor] : tensors) state.add(name, to_data(tensor));
    write_torch_file(path, state);
  }

 private:
  struct Stage {
    int64_t channels, kernel;
    int blocks;
  };

  void convolution(const std::string& name, const std::string& norm, int64_t out, int64_t in,
                   int64_t kernel) {
    tensors[name + ".weight"] = torch::randn({out, in, kernel, kernel}) * 0.5;
    tensors[norm + ".weight"] = torch::rand({out}) + 0.5;
    tensors[norm + ".bias"] = torch::randn({out});
    tensors[norm + ".running_mean"] = torch::randn({out});
    tensors[norm + ".running_var"] = torch::rand({out}) + 0.5;
  }
};

}  // namespace nowhere
