#include "model/generator_input.h"

#include <cstring>

#include "tensor/draws.h"

namespace nowhere {

GeneratorInput GeneratorInput::to(const torch::Device& device) const {
  return {latent.to(device), label.defined() ? label.to(device) : label};
}

GeneratorInput GeneratorInput::narrow(int64_t begin, int64_t some) const {
  return {latent.narrow(0, begin, some), label.defined() ? label.narrow(0, begin, some) : label};
}

GeneratorInput draw_input(int64_t count, int64_t latent_size, uint64_t seed, Purpose purpose,
                          std::initializer_list<uint64_t> names) {
  return {torch::randn({count, latent_size, 1, 1}, keyed_generator(torch::kCPU, seed, purpose, names)), {}};
}

GeneratorInput to_input(std::span<const Latent> latents) {
  const auto count = static_cast<int64_t>(latents.size());
  const auto size = static_cast<int64_t>(latents.empty() ? 0 : latents.front().size());
  torch::Tensor z = torch::empty({count, size, 1, 1});
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(z[i].mutable_data_ptr<float>(), latents[static_cast<size_t>(i)].data(),
                static_cast<size_t>(size) * sizeof(float));
  return {z, {}};
}

}  // namespace nowhere
