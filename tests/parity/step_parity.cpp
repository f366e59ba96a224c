// The C++ side of tests/test_parity.py: takes weights, batches and noise that Python made, does the steps, gives back the
// losses and the weights.
#include <torch/serialize.h>

#include <fstream>
#include <iterator>

#include "train/classic.h"

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

void run(const char* input, const char* output) {
  Tensors tensors;
  for (const auto& item : torch::pickle_load(read(input)).toGenericDict())
    tensors.insert(item.key().toStringRef(), item.value().toTensor());
  const torch::Tensor real = tensors.at("real"),
                      noise = tensors.at("noise");  // [steps,N,3,S,S], [steps,N,nz,1,1]
  const auto sizes = tensors.at("sizes");           // nz, ngf, ndf, img_size
  const auto size = [&](int i) { return static_cast<int>(sizes[i].item<int64_t>()); };
  const ModelConfig config{.nz = size(0), .ngf = size(1), .ndf = size(2), .img_size = size(3)};
  Generator generator(config);
  Discriminator discriminator(config);
  exchange(*generator, "G.", tensors, true);
  exchange(*discriminator, "D.", tensors, true);
  Adam generator_optimizer(generator->parameters(), {}),
      discriminator_optimizer(discriminator->parameters(), {});
  std::vector<torch::Tensor> losses;
  for (int64_t step = 0; step < real.size(0); ++step) {
    const StepResult result = classic_step(generator, discriminator, generator_optimizer,
                                           discriminator_optimizer, real[step], noise[step]);
    losses.push_back(torch::stack({result.d_loss, result.g_loss, result.d_x, result.d_g_z1, result.d_g_z2}));
  }
  Tensors answer;
  answer.insert("losses", torch::stack(losses));
  exchange(*generator, "G.", answer, false);
  exchange(*discriminator, "D.", answer, false);
  const std::vector<char> bytes = torch::pickle_save(answer);
  std::ofstream(output, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace
}  // namespace nowhere

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  nowhere::run(argv[1], argv[2]);
  return 0;
}
