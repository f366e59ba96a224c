// What the server needs from a generator, and nothing else: the networks themselves live elsewhere.
#pragma once

#include <vector>

#include "image/image.h"
#include "latent/latent.h"
#include "run/model_facts.h"

namespace nowhere {

// One loaded generator.
class Model {
 public:
  virtual ~Model() = default;
  // Constant for the model's whole life. Any thread. `file` is a path and never reaches a client.
  virtual const ModelFacts& facts() const = 0;
  // One picture of picture_size x picture_size per latent vector of latent_size numbers. Called by one thread
  // at a time; a picture does not depend on what else is in the call.
  virtual std::vector<Image> make(const std::vector<Latent>& latents) = 0;
};

}  // namespace nowhere
