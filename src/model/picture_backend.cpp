#include "model/picture_backend.h"

#include <algorithm>

#include "model/fast_generator.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

// The network itself, on its device.
class LibTorchBackend : public PictureBackend {
 public:
  explicit LibTorchBackend(Generator generator) : generator_(std::move(generator)) {}

  void make(const GeneratorInput& input, const TakePictures& take) const override {
    const torch::NoGradGuard no_gradients;
    Generator generator = generator_;
    const Evaluating evaluating(*generator);
    const torch::Device device = generator->parameters().front().device();
    // One by one on the CPU: there a picture's bits must not depend on what is made with it.
    const int64_t at_once = device.is_cpu() ? 1 : 16;
    for (int64_t first = 0; first < input.count(); first += at_once) {
      const GeneratorInput some = input.narrow(first, std::min(at_once, input.count() - first));
      take(first,
           generator(some.to(device)).to(torch::kCPU, torch::kFloat).permute({0, 2, 3, 1}).contiguous());
    }
  }

 private:
  Generator generator_;
};

bool on_cpu_in_float32(const Generator& generator) {
  return std::ranges::all_of(generator->parameters(), [](const torch::Tensor& parameter) {
    return parameter.device().is_cpu() && parameter.scalar_type() == torch::kFloat;
  });
}

}  // namespace

std::unique_ptr<PictureBackend> picture_backend(const Generator& generator, int threads) {
  if (on_cpu_in_float32(generator) && FastGenerator::supports(generator->description()))
    return std::make_unique<FastGenerator>(generator, threads);
  return std::make_unique<LibTorchBackend>(generator);
}

torch::Tensor make_pictures(const PictureBackend& backend, const GeneratorInput& input) {
  std::vector<torch::Tensor> parts(static_cast<size_t>(input.count()));
  backend.make(input, [&](int64_t first, const torch::Tensor& pictures) {
    parts[static_cast<size_t>(first)] = pictures;
  });
  std::erase_if(parts, [](const torch::Tensor& part) { return !part.defined(); });
  return torch::cat(parts);
}

std::vector<Image> make_images(const PictureBackend& backend, const GeneratorInput& input) {
  std::vector<Image> images(static_cast<size_t>(input.count()));
  backend.make(input, [&](int64_t first, const torch::Tensor& pictures) {
    std::ranges::move(to_images(pictures.permute({0, 3, 1, 2})), images.begin() + first);
  });
  return images;
}

}  // namespace nowhere
