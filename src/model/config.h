// What the networks look like: the original's parameters under the original's names.
#pragma once

#include "core/options.h"

namespace nowhere {

struct ModelConfig {
  int nc = 3;          // channels of a picture
  int nz = 128;        // numbers of a latent vector
  int ngf = 128;       // channels of the generator's last hidden layer
  int ndf = 32;        // channels of the discriminator's first layer
  int img_size = 128;  // pixels of a side, a power of two from 32 to 512

  void declare(Options& options);
  // Throws a usage error for what the ranges of the options cannot say.
  void check() const;

  bool operator==(const ModelConfig&) const = default;
};

}  // namespace nowhere
