// What a network sees in pictures: the published weights of an EfficientNet-Lite, or a TorchScript file that
// the user brings, Inception for the published scores.
#pragma once

#include <torch/script.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "eval/feature_choices.h"
#include "model/feature_maps.h"

namespace nowhere {

class FeatureNetwork {
 public:
  // Throws a data error when the file is neither. `input` is for scripts. `cache`: where features are kept by
  // the content of the pictures and of the network; empty for nowhere.
  FeatureNetwork(const std::filesystem::path& file, FeatureInput input, int img_size,
                 std::filesystem::path cache);

  // bytes [n,S,S,3] uint8 -> [n,d] float32. Throws a data error when the network does not take them, or gives
  // something else.
  torch::Tensor features(const torch::Tensor& bytes);

  // Numbers of a row; 0 while a script has not shown it.
  int64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  const std::string& file_digest() const { return file_digest_; }  // as checkpoints note it
  // Whether scores on it may bear the published names: by the file's name and its 2048 features.
  bool is_inception() const;

 private:
  torch::Tensor compute(const torch::Tensor& bytes);
  torch::Tensor run_script(const torch::Tensor& bytes);
  torch::Tensor checked(const torch::IValue& output, int64_t count) const;
  std::optional<torch::Tensor> cached(const std::filesystem::path& file, int64_t count) const;

  std::filesystem::path file_;
  FeatureInput input_;
  std::filesystem::path cache_;
  std::string name_, file_digest_;
  uint64_t digest_ = 0;                // of the file and of what it is fed
  std::shared_ptr<FeatureMaps> maps_;  // of published weights; null for a script
  std::optional<torch::jit::Module> script_;
  int64_t size_ = 0;  // d, once it is known
};

}  // namespace nowhere
