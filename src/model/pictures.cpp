#include "model/pictures.h"

#include <cstring>

namespace nowhere {

torch::Tensor to_bytes(const torch::Tensor& pictures) {
  return pictures.detach()
      .to(torch::kFloat)
      .add(1)
      .mul_(127.5)
      .round_()
      .clamp_(0, 255)
      .to(torch::kByte)
      .permute({0, 2, 3, 1})  // [N,S,S,3]
      .contiguous()
      .to(torch::kCPU);
}

std::vector<Image> to_images(const torch::Tensor& pictures) {
  return bytes_to_images(to_bytes(pictures));
}

std::vector<Image> bytes_to_images(const torch::Tensor& bytes) {
  std::vector<Image> images;
  for (int64_t i = 0; i < bytes.size(0); ++i) {
    Image image(static_cast<int>(bytes.size(2)), static_cast<int>(bytes.size(1)));
    std::memcpy(image.pixels.data(), bytes[i].const_data_ptr<uint8_t>(), image.pixels.size());
    images.push_back(std::move(image));
  }
  return images;
}

torch::Tensor to_tensor(std::span<const Latent> latents) {
  const auto count = static_cast<int64_t>(latents.size());
  const auto size = static_cast<int64_t>(latents.empty() ? 0 : latents.front().size());
  torch::Tensor z = torch::empty({count, size, 1, 1});
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(z[i].mutable_data_ptr<float>(), latents[static_cast<size_t>(i)].data(),
                static_cast<size_t>(size) * sizeof(float));
  return z;
}

std::vector<Image> make_pictures(Generator& generator, const torch::Tensor& z) {
  constexpr int64_t kAtOnce = 16;
  const torch::NoGradGuard no_gradients;
  const Evaluating evaluating(*generator);
  const torch::Device device = generator->parameters().front().device();
  std::vector<Image> images;
  for (const torch::Tensor& some : z.split(kAtOnce))
    for (Image& image : to_images(generator(some.to(device)))) images.push_back(std::move(image));
  return images;
}

}  // namespace nowhere
