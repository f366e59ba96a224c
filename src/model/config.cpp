#include "model/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

using Preset = std::pair<std::string, ModelConfig>;

std::vector<Preset> presets() {
  const ModelConfig naive{.nz = 100, .ngf = 64, .ndf = 64, .img_size = 64};
  const ModelConfig clamp{.nz = 256, .ngf = 256, .ndf = 64, .img_size = 64};
  const ModelConfig safe{.nz = 128, .ngf = 128, .ndf = 32, .img_size = 128};
  const ModelConfig large{.nz = 256, .ngf = 256, .ndf = 128, .img_size = 128};
  return {{"naive-64", naive},
          {"clamp-64", clamp},
          {"safe-64", clamp},
          {"safe-128", safe},
          {"safe-128-large", large}};
}

}  // namespace

void ModelConfig::declare(Options& options) {
  options.integer("nc", nc, 1, 4, "channels of a picture");
  options.integer("nz", nz, 1, 4096, "numbers of a latent vector");
  options.integer("ngf", ngf, 1, 1024, "channels of the generator's last hidden layer");
  options.integer("ndf", ndf, 1, 1024, "channels of the discriminator's first layer");
  options.integer("img_size", img_size, 32, 512, "pixels of a picture's side, a power of two");
}

void ModelConfig::check() const {
  if (img_size < 32 || img_size > 512 || !std::has_single_bit(static_cast<unsigned>(img_size)))
    throw usage_error(fmt::format("img_size {} is not a power of two from 32 to 512", img_size));
}

ModelConfig model_preset(const std::string& name) {
  // The write-up says "Naive-Params-64" where the code says naive-64.
  std::string plain = lower(name);
  if (const size_t params = plain.find("-params"); params != std::string::npos) plain.erase(params, 7);
  for (const auto& [known, config] : presets())
    if (known == plain) return config;
  throw usage_error(
      fmt::format("there is no preset '{}'; give one of {}", name, join(model_preset_names(), ", ")));
}

std::vector<std::string> model_preset_names() {
  std::vector<std::string> names;
  for (const auto& [name, config] : presets()) names.push_back(name);
  return names;
}

}  // namespace nowhere
