#include "tensor/pictures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace nowhere {
namespace {

// What red, green and blue add to the luminance, by ITU-R 601.
constexpr double kRed = 0.299, kGreen = 0.587, kBlue = 0.114;

// [-1,1] -> 0 to 255, halves to the even one; simple enough that compilers make vectors of it.
uint8_t byte_of(float number) {
  constexpr float kWhole = 12582912;  // 1.5 * 2^23: what is added to it becomes a whole number, its last bits
  const float level = std::clamp((number + 1) * 127.5f, 0.0f, 255.0f);
  return static_cast<uint8_t>(std::bit_cast<uint32_t>(level + kWhole));
}

// In one pass over memory. pictures [N,S,S,C]
torch::Tensor to_bytes_on_cpu(const torch::Tensor& pictures) {
  const torch::Tensor from = pictures.contiguous();
  torch::Tensor bytes = torch::empty(from.sizes(), torch::kByte);
  const auto* numbers = from.const_data_ptr<float>();
  std::transform(numbers, numbers + from.numel(), bytes.mutable_data_ptr<uint8_t>(), byte_of);
  return bytes;
}

}  // namespace

torch::Tensor to_bytes(const torch::Tensor& pictures) {
  if (pictures.is_cpu() && pictures.scalar_type() == torch::kFloat)
    return to_bytes_on_cpu(pictures.detach().expand({-1, kChannels, -1, -1}).permute({0, 2, 3, 1}));
  return pictures.detach()
      .expand({-1, kChannels, -1, -1})
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

torch::Tensor to_grey(const torch::Tensor& bytes) {
  constexpr int kBits = 16;  // of a fraction, as in PIL
  const auto weighted = [&](int64_t channel, double weight) {
    return bytes.select(3, channel)
        .to(torch::kInt)
        .mul_(static_cast<int>(std::lround(weight * (1 << kBits))));
  };
  const torch::Tensor sum = weighted(0, kRed).add_(weighted(1, kGreen)).add_(weighted(2, kBlue));
  const torch::Tensor grey = sum.add_(1 << (kBits - 1)).bitwise_right_shift_(kBits).to(torch::kByte);
  return grey.unsqueeze(3).expand({-1, -1, -1, kChannels}).contiguous();
}

torch::Tensor float_batch(const Batch& batch, int64_t size, int64_t channels) {
  const torch::Tensor pictures = torch::from_blob(const_cast<float*>(batch.floats),
                                                  {static_cast<int64_t>(batch.count), size, size, kChannels})
                                     .permute({0, 3, 1, 2});
  if (channels == kChannels) return pictures;
  TORCH_CHECK(channels == 1, "photographs become pictures of 1 or ", kChannels, " channels");
  // The weights' sum is 1, so [-1,1] stays what it is.
  return pictures.narrow(1, 0, 1)
      .mul(kRed)
      .add_(pictures.narrow(1, 1, 1), kGreen)
      .add_(pictures.narrow(1, 2, 1), kBlue)
      .contiguous();
}

torch::Tensor byte_batch(const Batch& batch, int64_t size) {
  return torch::from_blob(const_cast<uint8_t*>(batch.bytes),
                          {static_cast<int64_t>(batch.count), size, size, kChannels}, torch::kByte);
}

}  // namespace nowhere
