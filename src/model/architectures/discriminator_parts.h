// The networks that a discriminator is made of. Each sees something else of a picture and gives a logit of
// its own: the pixels at full size, a thumbnail (light and layout), the maps of a frozen network (things).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/config.h"
#include "model/description.h"

namespace nowhere {

struct DiscriminatorPart {
  // Which of the frozen network's maps it sees; none: the picture itself.
  std::optional<size_t> map;
  double weight = 1;           // of its loss among the parts'
  NetworkDescription network;  // [nc,S,S] in [-1,1], or a map -> [1,1,1], a logit
};

// `maps`: the shapes of the frozen network's maps, finest first; none without such a network. Throws a usage
// error when nothing is left that sees the pictures.
std::vector<DiscriminatorPart> discriminator_parts(const ModelConfig& config, std::span<const MapShape> maps);

}  // namespace nowhere
