#include "eval/feature_network.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "eval/picture_sets.h"
#include "tensor/pictures.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

}  // namespace

FeatureNetwork::FeatureNetwork(const fs::path& file, FeatureInput input, int img_size, fs::path cache)
    : file_(file), input_(input), cache_(std::move(cache)), maps_(open_published_maps(file, img_size)) {
  auto mapped = MappedFile::open(file);
  if (!mapped) throw data_error(mapped.error().reason);
  file_digest_ = maps_ ? maps_->digest() : feature_digest(mapped->bytes());
  digest_ = hash64(mapped->bytes(), static_cast<uint64_t>(input));
  name_ = maps_ ? maps_->name() : file.filename().string();
  if (maps_) {
    for (const MapShape& map : maps_->shapes()) size_ += map.channels;
    return;
  }
  try {
    script_ = torch::jit::load(file.string(), torch::kCPU);
  } catch (const std::exception& error) {
    throw data_error(
        fmt::format("{} is neither the published weights of an EfficientNet-Lite nor TorchScript ({}); make "
                    "TorchScript with torch.jit.trace(...).save()",
                    printable(file), libtorch_reason(error)));
  }
  script_->eval();
}

bool FeatureNetwork::is_inception() const {
  constexpr int64_t kInceptionSize = 2048;
  return size_ == kInceptionSize && lower(name()).find("inception") != std::string::npos;
}

torch::Tensor FeatureNetwork::features(const torch::Tensor& bytes) {
  if (cache_.empty()) return compute(bytes);
  const fs::path kept = cache_ / fmt::format("{:016x}{:016x}.f32", digest_, hash64(bytes_of(bytes)));
  if (auto found = cached(kept, bytes.size(0))) return *found;
  const torch::Tensor features = compute(bytes);
  make_directories(cache_);
  write_file(kept, bytes_of(features));
  return features;
}

// The file holds [count,d] floats and nothing else; d follows from its size.
std::optional<torch::Tensor> FeatureNetwork::cached(const fs::path& file, int64_t count) const {
  std::vector<uint8_t> bytes;
  if (!fs::exists(file) || !read_file(file, bytes)) return std::nullopt;
  const auto row_bytes = static_cast<size_t>(count) * sizeof(float);
  if (bytes.empty() || bytes.size() % row_bytes != 0) return std::nullopt;
  const auto size = static_cast<int64_t>(bytes.size() / row_bytes);
  if (size_ != 0 && size != size_) return std::nullopt;
  return torch::from_blob(bytes.data(), {count, size}).clone();
}

torch::Tensor FeatureNetwork::compute(const torch::Tensor& bytes) {
  const torch::NoGradGuard no_gradients;
  torch::Tensor features;
  if (maps_) {
    std::vector<torch::Tensor> means;  // of each map over the picture
    for (const torch::Tensor& map : (*maps_)(to_signed(bytes))) means.push_back(map.mean({2, 3}));
    features = torch::cat(means, 1);
  } else {
    features = run_script(bytes);
  }
  size_ = features.size(1);
  return features;
}

torch::Tensor FeatureNetwork::run_script(const torch::Tensor& bytes) {
  const torch::Tensor pictures = input_ == FeatureInput::kBytes ? bytes.permute({0, 3, 1, 2}).contiguous()
                                 : input_ == FeatureInput::kUnit
                                     ? bytes.permute({0, 3, 1, 2}).to(torch::kFloat).div(255)
                                     : to_signed(bytes);
  torch::IValue output;
  try {
    output = script_->forward({pictures});
  } catch (const std::exception& error) {
    throw data_error(
        fmt::format("{} does not take pictures [{},3,{},{}] ({}); see --feature-input for what it "
                    "is fed",
                    printable(file_), bytes.size(0), bytes.size(1), bytes.size(2), libtorch_reason(error)));
  }
  return checked(output, bytes.size(0));
}

torch::Tensor FeatureNetwork::checked(const torch::IValue& output, int64_t count) const {
  const auto refuse = [&](const std::string& what) {
    throw data_error(
        fmt::format("{} gives {} for {}; a feature network gives one row of numbers each, [{},d]",
                    printable(file_), what, counted(count, "picture"), count));
  };
  if (!output.isTensor()) refuse(output.tagKind());
  const torch::Tensor& tensor = output.toTensor();
  if (tensor.dim() < 2 || tensor.size(0) != count || tensor.numel() != count * tensor.size(1) ||
      tensor.size(1) < 1)
    refuse(fmt::format("a tensor of {} dimensions and {} numbers", tensor.dim(), tensor.numel()));
  const torch::Tensor features =
      tensor.reshape({count, tensor.size(1)}).to(torch::kFloat).to(torch::kCPU).contiguous();
  if (size_ != 0 && features.size(1) != size_) refuse("another number of features than before");
  if (!features.isfinite().all().item<bool>()) refuse("numbers that are not finite");
  return features;
}

}  // namespace nowhere
