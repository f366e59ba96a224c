#include "model/config.h"

#include <fmt/core.h>

#include <bit>

#include "core/error.h"

namespace nowhere {
void ModelConfig::declare(Options& options) {
  options.integer("nc", nc, 1, 4, "channels of a picture");
  options.integer("nz", nz, 1, 4096, "numbers of a latent vector");
  options.integer("ngf", ngf, 1, 1024, "channels of the generator's last hidden layer");
  options.integer("ndf", ndf, 1, 1024, "channels of the discriminator's first layer");
  options.integer("img-size", img_size, 32, 512, "pixels of a picture's side, a power of two");
}

void ModelConfig::check() const {
  if (img_size < 32 || img_size > 512 || !std::has_single_bit(static_cast<unsigned>(img_size)))
    throw usage_error(fmt::format("img_size {} is not a power of two from 32 to 512", img_size));
}

}  // namespace nowhere
