#include "model/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "model/architectures/architecture.h"

namespace nowhere {

void ModelConfig::declare(Options& options) {
  options.integer("nc", nc, 1, 4, "channels of a picture: 3 for colour, 1 for grey");
  options.integer("nz", nz, 1, 4096, "numbers of a latent vector");
  options.integer("ngf", ngf, 1, 1024, "channels of the generator's last hidden layer");
  options.integer("ndf", ndf, 1, 1024, "channels of the discriminator's first layer");
  options.integer("img-size", img_size, 32, 512, "pixels of a picture's side, a power of two");
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string& name : architecture_names()) names.emplace_back(name, name);
  options.choice("architecture", architecture, names, "of the networks");
  options.yes_no("d-batch-norm", d_batch_norm, "batch norm in the discriminator");
  options.integer("d-group", d_group, 0, 65536,
                  "minibatch standard deviation in D, over groups of N pictures; 0: none");
  options.yes_no("d-pixels", d_pixels, "a discriminator that sees all pixels");
  options.integer("d-thumbnail", d_thumbnail, 0, 256,
                  "a small discriminator for thumbnails of N pixels a side; 0: none");
  options.integer("d-heads", d_heads, 1, 1024, "channels of the heads on the maps of --features");
  options.yes_no("g-low-pass", g_low_pass, "smooth the generator's last maps by [1,2,1]");
}

void ModelConfig::check() const {
  if (img_size < 32 || img_size > 512 || !std::has_single_bit(static_cast<unsigned>(img_size)))
    throw usage_error(fmt::format("img_size {} is not a power of two from 32 to 512", img_size));
  if (nc != 1 && nc != 3)
    throw usage_error(
        fmt::format("nc {} is not possible: pictures have 3 channels (colour) or 1 (grey)", nc));
  if (d_thumbnail != 0 &&
      (d_thumbnail < 8 || d_thumbnail > img_size || !std::has_single_bit(static_cast<unsigned>(d_thumbnail))))
    throw usage_error(
        fmt::format("d-thumbnail {} is not a power of two from 8 to the picture's {} pixels; 0 is for none",
                    d_thumbnail, img_size));
}

ModelConfig ModelConfig::from_json(const boost::json::object& settings, const std::string& where) {
  ModelConfig config;
  Options options;
  config.declare(options);
  const boost::json::object known = options.to_json();
  boost::json::object chosen;
  for (const auto& [key, value] : upgraded_settings(settings))
    if (known.contains(key)) chosen[key] = value;
  options.from_json(chosen, where);
  return config;
}

boost::json::object upgraded_settings(boost::json::object settings) {
  const auto* recipe = settings.if_contains("recipe");
  if (recipe == nullptr) return settings;
  const bool streets = *recipe == "streets";
  if (!streets && *recipe != "classic") return settings;  // not one of ours: to be refused as an unknown key
  settings.erase("recipe");
  settings.emplace("loss", streets ? "relativistic" : "bce");
  settings.emplace("d_batch_norm", !streets);
  settings.emplace("d_joint", streets);
  return settings;
}

}  // namespace nowhere
