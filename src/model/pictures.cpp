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
