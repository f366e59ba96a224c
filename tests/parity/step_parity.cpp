// The C++ side of tests/test_parity.py: takes weights, batches and noise that Python made, does the steps,
// gives back the losses and the weights. step_parity IN OUT auto|torch, the last as of --kernels.
#include <torch/serialize.h>

#include <fstream>
#include <iterator>

#include "train/step.h"

namespace nowhere {
namespace {

using Tensors = c10::Dict<std::string, torch::Tensor>;

std::vector<char> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Copies the entries "PREFIX.name" into the network, or the network into them.
void exchange(torch::nn::Module& network, const std::string& prefix, Tensors& tensors, bool into_network) {
  const torch::NoGradGuard no_gradients;
  for (auto group : {network.named_parameters(), network.named_buffers()})
    for (auto& item : group) {
      const std::string key = prefix + item.key();
      if (into_network)
        item.value().copy_(tensors.at(key));
      else
        tensors.insert_or_assign(key, item.value().detach().clone());
    }
}

void run(const char* input, const char* output, Kernels kernels) {
  Tensors tensors;
  for (const auto& item : torch::pickle_load(read(input)).toGenericDict())
    tensors.insert(item.key().toStringRef(), item.value().toTensor());
  const torch::Tensor real = tensors.at("real"),
                      noise = tensors.at("noise");  // [steps,N,3,S,S], [steps,N,nz,1,1]
  const auto sizes = tensors.at("sizes");           // nz, ngf, ndf, img_size
  const auto size = [&](int i) { return static_cast<int>(sizes[i].item<int64_t>()); };
  TrainConfig config;  // the reference's defaults
  config.model = {.nz = size(0), .ngf = size(1), .ndf = size(2), .img_size = size(3)};
  config.kernels = kernels;
  Players players(config, torch::kCPU, Precision::kFloat32);
  exchange(*players.generator.network, "G.", tensors, true);
  exchange(*players.discriminator.network, "D.", tensors, true);
  GanStep train(config, players, torch::kCPU, Precision::kFloat32);
  std::vector<torch::Tensor> losses;
  for (int64_t step = 0; step < real.size(0); ++step) {
    const StepResult result =
        train(real[step].to(at::MemoryFormat::ChannelsLast), {noise[step], {}}, static_cast<uint64_t>(step));
    losses.push_back(torch::stack({result.d_loss, result.g_loss, result.d_x, result.d_g_z1, result.d_g_z2}));
  }
  Tensors answer;
  answer.insert("losses", torch::stack(losses));
  exchange(*players.generator.network, "G.", answer, false);
  exchange(*players.discriminator.network, "D.", answer, false);
  const std::vector<char> bytes = torch::pickle_save(answer);
  std::ofstream(output, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace
}  // namespace nowhere

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  nowhere::run(argv[1], argv[2],
               std::string(argv[3]) == "torch" ? nowhere::Kernels::kTorch : nowhere::Kernels::kAuto);
  return 0;
}
