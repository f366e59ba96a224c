#include "tensor/pictures.h"

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
      .permute({0, 2, 3, 1})  // [N,S,S,C]
      .contiguous()
      .to(torch::kCPU);
}

std::vector<Image> to_images(const torch::Tensor& pictures) {
  return bytes_to_images(to_bytes(pictures));
}

std::vector<Image> bytes_to_images(const torch::Tensor& bytes) {
  TORCH_CHECK(bytes.size(3) == kChannels, "pictures have ", kChannels, " channels");
  std::vector<Image> images;
  for (int64_t i = 0; i < bytes.size(0); ++i) {
    Image image(static_cast<int>(bytes.size(2)), static_cast<int>(bytes.size(1)));
    std::memcpy(image.pixels.data(), bytes[i].const_data_ptr<uint8_t>(), image.pixels.size());
    images.push_back(std::move(image));
  }
  return images;
}

torch::Tensor to_signed(const torch::Tensor& bytes) {
  return bytes.permute({0, 3, 1, 2}).to(torch::kFloat).div(127.5).sub(1);
}

torch::Tensor to_rows(const torch::Tensor& bytes) {
  return bytes.reshape({bytes.size(0), -1}).to(torch::kFloat).div(255);
}

torch::Tensor float_batch(const Batch& batch, int64_t size) {
  return torch::from_blob(const_cast<float*>(batch.floats),
                          {static_cast<int64_t>(batch.count), size, size, kChannels})
      .permute({0, 3, 1, 2});
}

torch::Tensor byte_batch(const Batch& batch, int64_t size) {
  return torch::from_blob(const_cast<uint8_t*>(batch.bytes),
                          {static_cast<int64_t>(batch.count), size, size, kChannels}, torch::kByte);
}

}  // namespace nowhere
