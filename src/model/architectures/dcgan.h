// The networks of the reference DCGAN, at any size.
#pragma once

#include "model/config.h"
#include "model/description.h"

namespace nowhere {

NetworkDescription dcgan_generator(const ModelConfig& config);
NetworkDescription dcgan_discriminator(const ModelConfig& config);

}  // namespace nowhere
