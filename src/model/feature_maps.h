// A frozen network that looks at pictures: what it has learnt of the world elsewhere, as maps of features.
#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/description.h"

namespace nowhere {

class FeatureMaps {
 public:
  virtual ~FeatureMaps() = default;
  FeatureMaps(const FeatureMaps&) = delete;
  FeatureMaps& operator=(const FeatureMaps&) = delete;

  // pictures [N,3,S,S] or [N,1,S,S] in [-1,1] -> [N,C,H,W] each, finest first. Gradients flow to the
  // pictures, none into the network.
  std::vector<torch::Tensor> operator()(const torch::Tensor& pictures);

  virtual void to(const torch::Device& device) = 0;
  // From here on on the CPU by kernels of our own, where they make this network; else nothing changes.
  virtual void use_kernels() {}

  const std::vector<MapShape>& shapes() const { return shapes_; }
  const std::string& name() const { return name_; }      // "efficientnet-lite0", or the script's file name
  const std::string& digest() const { return digest_; }  // of the file, 16 hexadecimal digits
  int64_t parameters() const { return parameters_; }
  int64_t activations() const { return activations_; }  // numbers kept for the gradients of one picture
  // Of one picture's forward pass; 0 for a TorchScript, which does not say.
  virtual int64_t multiplications() const { return 0; }

 protected:
  FeatureMaps() = default;
  virtual std::vector<torch::Tensor> look(const torch::Tensor& pictures) = 0;

  std::vector<MapShape> shapes_;
  int64_t parameters_ = 0, activations_ = 0;

 private:
  friend std::shared_ptr<FeatureMaps> open_feature_maps(const std::filesystem::path& file, int img_size);
  friend std::shared_ptr<FeatureMaps> open_published_maps(const std::filesystem::path& file, int img_size);
  std::string name_, digest_;
};

// The published weights of an EfficientNet-Lite (.pth), or any TorchScript that takes pictures and gives a
// map or a tuple or list of them. For pictures of one size. Throws a data error.
std::shared_ptr<FeatureMaps> open_feature_maps(const std::filesystem::path& file, int img_size);

// Published weights alone; null when the file is something else. Throws a data error when it cannot be read.
std::shared_ptr<FeatureMaps> open_published_maps(const std::filesystem::path& file, int img_size);

// 16 hexadecimal digits of a feature network's file, by which checkpoints and reports know it.
std::string feature_digest(std::span<const uint8_t> file);

// LibTorch's messages are pages long; their last line says what was wrong.
std::string libtorch_reason(const std::exception& error);

}  // namespace nowhere
