#include "train/initial.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "model/architectures/architecture.h"
#include "model/state_dict.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

const Value* generator_of(const Value& checkpoint) {
  const Value* average = checkpoint.find("G_ema_state_dict");
  return average != nullptr ? average : checkpoint.find("G_state_dict");
}

bool is_weight(const TensorDescription& tensor) {
  return tensor.role != TensorDescription::Role::kCounter;
}

size_t weights_of(const NetworkImpl& network) {
  return static_cast<size_t>(std::ranges::count_if(network.tensors(), is_weight));
}

void check_numbers(const Value* state, const std::string& where) {
  if (state == nullptr || state->dict() == nullptr) return;
  for (const auto& [name, value] : state->dict()->entries)
    if (value.tensor() != nullptr && !value.tensor()->repeats() &&
        !from_data(*value.tensor()).isfinite().all().item<bool>())
      throw data_error(
          fmt::format("--init {}: its weights are not numbers; take an earlier checkpoint", where));
}

// Heads know the maps of the network that they have learnt on, and no other.
bool same_features(const Value& checkpoint, const Players& players) {
  const Value *facts = checkpoint.find("features"),
              *digest = facts != nullptr ? facts->find("digest") : nullptr;
  return players.frozen != nullptr && digest != nullptr && digest->text() != nullptr &&
         *digest->text() == players.frozen->digest();
}

Value without_heads(const Value& state) {
  Dict rest;
  for (const auto& [name, value] : state.dict()->entries)
    if (name.text() == nullptr || !name.text()->starts_with("heads.")) rest.add(name, value);
  return rest;
}

}  // namespace

InitialNetworks read_initial(const RunReader& reader, const ModelConfig& model) {
  auto [file, checkpoint] = reader.read_full(reader.find());
  const std::string where = reader.location(file);
  const TensorShapes shapes = shapes_of(generator_of(checkpoint));
  const bool fits =
      std::ranges::any_of(describe_generator(model).tensors(), [&](const TensorDescription& tensor) {
        const auto found = shapes.find(tensor.name);
        return is_weight(tensor) && found != shapes.end() && found->second == tensor.shape;
      });
  if (!fits)
    throw data_error(fmt::format(
        "--init {}: no tensor of its generator fits this one; take its --architecture, --ngf, --nz "
        "and --img-size",
        where));
  check_numbers(generator_of(checkpoint), where);
  check_numbers(checkpoint.find("D_state_dict"), where);
  return {where, std::move(checkpoint)};
}

std::string begin_with(const InitialNetworks& networks, Players& players) {
  Generator& G = players.generator.network;
  Discriminator& D = players.discriminator.network;
  const Value& generator = *generator_of(networks.checkpoint);
  const size_t of_g = load_what_fits(*G, generator);
  if (players.average) load_what_fits(**players.average, generator);
  size_t of_d = 0;
  if (const Value* state = networks.checkpoint.find("D_state_dict");
      state != nullptr && state->dict() != nullptr)
    of_d = load_what_fits(*D, same_features(networks.checkpoint, players) ? *state : without_heads(*state));
  return fmt::format("begins with {} of {} tensors of G and {} of {} of D, from {}", of_g, weights_of(*G),
                     of_d, weights_of(*D), networks.where);
}

}  // namespace nowhere
