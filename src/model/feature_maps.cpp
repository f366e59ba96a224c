#include "model/feature_maps.h"

#include <fmt/core.h>
#include <torch/script.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "model/architectures/efficientnet_lite.h"
#include "model/feature_passes.h"
#include "model/inverted_weights.h"
#include "model/networks.h"
#include "model/state_dict.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// The network of the description with the numbers of the file.
class FrozenNetworkImpl : public NetworkImpl {
 public:
  FrozenNetworkImpl(EfficientNetLite described, const Value& state, const std::string& where)
      : NetworkImpl({described.network}), maps_(std::move(described.maps)) {
    const torch::NoGradGuard no_gradients;
    const auto numbers = [&](const std::string& name) {
      const Value* value = state.find(name);
      if (value == nullptr || value->tensor() == nullptr)
        throw data_error(fmt::format("{}: the tensor {} is missing", where, name));
      return from_data(*value->tensor()).to(torch::kFloat);
    };
    auto parameters = named_parameters();
    for (const auto& [name, norm] : described.folded) {
      const torch::Tensor scale =
          numbers(norm + ".weight") / (numbers(norm + ".running_var") + kEfficientNetEpsilon).sqrt();
      parameters[name + ".weight"].copy_(numbers(name + ".weight") * scale.view({-1, 1, 1, 1}));
      parameters[name + ".bias"].copy_(numbers(norm + ".bias") - numbers(norm + ".running_mean") * scale);
    }
    for (torch::Tensor& parameter : this->parameters()) {
      if (!parameter.isfinite().all().item<bool>())
        throw data_error(fmt::format("{} holds weights that are not numbers", where));
      if (parameter.dim() == 4) parameter.set_data(parameter.to(at::MemoryFormat::ChannelsLast));
      parameter.requires_grad_(false);
    }
  }

  std::vector<torch::Tensor> forward(const torch::Tensor& pictures) { return run(0, pictures, maps_); }

  Result<InvertedNetworkWeights> kernel_weights() const {
    const auto parameters = named_parameters();
    return inverted_weights(description(), maps_, [&](const std::string& name) {
      const torch::Tensor ordered = parameters[name].cpu().contiguous();
      const auto* first = ordered.const_data_ptr<float>();
      return std::vector<float>(first, first + ordered.numel());
    });
  }

  std::vector<MapShape> shapes() const {
    std::vector<MapShape> shapes;
    for (const size_t layer : maps_) shapes.push_back(description().layers()[layer].shape);
    return shapes;
  }

 private:
  std::vector<size_t> maps_;
};
TORCH_MODULE(FrozenNetwork);

class EfficientNetMaps : public FeatureMaps {
 public:
  EfficientNetMaps(EfficientNetLite described, const Value& state, const std::string& where)
      : network_(std::move(described), state, where) {
    shapes_ = network_->shapes();
    parameters_ = network_->description().parameters();
    activations_ = network_->description().activations();
  }

  void to(const torch::Device& device) override { network_->to(device); }
  int64_t multiplications() const override { return network_->description().multiplications(); }

  void use_kernels() override {
    if (const auto weights = network_->kernel_weights()) passes_.emplace(*weights);
  }

 protected:
  std::vector<torch::Tensor> look(const torch::Tensor& pictures) override {
    return passes_ && passes_->takes(pictures) ? (*passes_)(pictures) : network_(pictures);
  }

 private:
  FrozenNetwork network_;
  std::optional<FeaturePasses> passes_;
};

// "efficientnet-lite0" of "efficientnet-lite0-57934424.pth": files of weights are named with their hash.
std::string published_name(const fs::path& file) {
  std::string name = file.stem().string();
  const size_t dash = name.rfind('-');
  if (dash != std::string::npos && name.size() - dash == 9 &&
      name.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos)
    name.resize(dash);
  return name;
}

class ScriptMaps : public FeatureMaps {
 public:
  ScriptMaps(const fs::path& file, int img_size) : where_(printable(file)) {
    try {
      module_ = torch::jit::load(file.string(), torch::kCPU);
    } catch (const std::exception& error) {
      throw data_error(
          fmt::format("{} is neither the published weights of an EfficientNet-Lite nor TorchScript ({})",
                      where_, libtorch_reason(error)));
    }
    module_.eval();
    for (const torch::Tensor& parameter : module_.parameters()) {
      torch::Tensor(parameter).requires_grad_(false);
      parameters_ += parameter.numel();
    }
    const torch::NoGradGuard no_gradients;
    for (const torch::Tensor& map : look(torch::zeros({2, 3, img_size, img_size}))) {
      shapes_.push_back({map.size(1), map.size(2), map.size(3)});
      activations_ += shapes_.back().count();  // of those that it shows; what lies between is not known
    }
  }

  void to(const torch::Device& device) override { module_.to(device); }

 protected:
  std::vector<torch::Tensor> look(const torch::Tensor& pictures) override {
    torch::IValue output;
    try {
      output = module_.forward({pictures});
    } catch (const std::exception& error) {
      throw data_error(fmt::format("{} does not take pictures [{},3,{},{}] ({})", where_, pictures.size(0),
                                   pictures.size(2), pictures.size(3), libtorch_reason(error)));
    }
    std::vector<torch::Tensor> maps;
    if (output.isTensor())
      maps = {output.toTensor()};
    else if (output.isTensorList())
      maps = output.toTensorVector();
    else if (output.isTuple())
      for (const torch::IValue& item : output.toTupleRef().elements())
        maps.push_back(item.isTensor() ? item.toTensor() : torch::Tensor());
    check(maps, pictures.size(0));
    return maps;
  }

 private:
  void check(const std::vector<torch::Tensor>& maps, int64_t count) const {
    constexpr int64_t kSmallest = 4;
    const auto fits = [&](const torch::Tensor& map) {
      return map.defined() && map.dim() == 4 && map.size(0) == count && map.size(2) == map.size(3) &&
             map.size(2) >= kSmallest && std::has_single_bit(static_cast<uint64_t>(map.size(2)));
    };
    if (maps.empty() || !std::ranges::all_of(maps, fits))
      throw data_error(fmt::format(
          "{} gives no feature maps: it has to give tensors [N,C,H,H], H a power of two from {} on", where_,
          kSmallest));
  }

  std::string where_;
  torch::jit::Module module_;
};

}  // namespace

std::vector<torch::Tensor> FeatureMaps::operator()(const torch::Tensor& pictures) {
  return look(pictures.size(1) == 1 ? pictures.expand({-1, 3, -1, -1}) : pictures);
}

std::shared_ptr<FeatureMaps> open_published_maps(const fs::path& file, int img_size) {
  std::vector<uint8_t> bytes;
  if (auto read = read_file(file, bytes); !read) throw data_error(read.error().reason);
  const auto state = read_torch_bytes(bytes);
  auto described = state ? describe_efficientnet_lite(shapes_of(&*state), img_size) : std::nullopt;
  if (!described) return nullptr;
  auto maps = std::make_shared<EfficientNetMaps>(std::move(*described), *state, printable(file));
  maps->name_ = published_name(file);
  maps->digest_ = feature_digest(bytes);
  return maps;
}

std::shared_ptr<FeatureMaps> open_feature_maps(const fs::path& file, int img_size) {
  if (auto published = open_published_maps(file, img_size)) return published;
  auto maps = std::make_shared<ScriptMaps>(file, img_size);
  maps->name_ = file.filename().string();
  auto mapped = MappedFile::open(file);
  if (!mapped) throw data_error(mapped.error().reason);
  maps->digest_ = feature_digest(mapped->bytes());
  return maps;
}

std::string feature_digest(std::span<const uint8_t> file) {
  return fmt::format("{:016x}", hash64(file));
}

std::string libtorch_reason(const std::exception& error) {
  const std::vector<std::string> lines = split_list(error.what(), '\n');
  return lines.empty() ? "unknown" : printable_text(lines.back());
}

}  // namespace nowhere
