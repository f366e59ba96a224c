#include "model/pictures.h"

#include <cstring>

namespace nowhere {

std::vector<Image> to_images(const torch::Tensor& pictures) {
  const torch::Tensor bytes = pictures.detach()
                                  .to(torch::kFloat)
                                  .add(1)
                                  .mul(127.5)
                                  .round()
                                  .clamp(0, 255)
                                  .to(torch::kByte)
                                  .permute({0, 2, 3, 1})  // [N,S,S,3]
                                  .contiguous()
                                  .to(torch::kCPU);
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

torch::Tensor generate(Generator& generator, const torch::Tensor& z) {
  const torch::NoGradGuard no_gradients;
  const Evaluating evaluating(*generator);
  const torch::Device device = generator->parameters().front().device();
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& some : z.split(kGeneratedTogether)) {
    const int64_t missing = kGeneratedTogether - some.size(0);
    const torch::Tensor full =
        missing == 0 ? some : torch::constant_pad_nd(some, {0, 0, 0, 0, 0, 0, 0, missing});
    parts.push_back(generator(full.to(device)).narrow(0, 0, some.size(0)));
  }
  return parts.size() == 1 ? parts.front() : torch::cat(parts);
}

std::vector<Image> make_pictures(Generator& generator, const torch::Tensor& z) {
  std::vector<Image> images;
  for (const torch::Tensor& some : z.split(kGeneratedTogether))
    for (Image& image : to_images(generate(generator, some))) images.push_back(std::move(image));
  return images;
}

}  // namespace nowhere
