#include "exchange/small_checkpoint.h"

#include "archive/torch_file.h"
#include "core/json.h"
#include "model/state_dict.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

// Numbers in half precision; counters, and what half precision cannot hold, as they are.
Dict halved(const Dict& state) {
  Dict half;
  for (const auto& [key, value] : state.entries) {
    if (value.tensor() == nullptr) continue;
    const torch::Tensor tensor = from_data(*value.tensor());
    const torch::Tensor small = tensor.is_floating_point() ? tensor.to(torch::kHalf) : tensor;
    half.add(key, to_data(small.isfinite().all().item<bool>() ? small : tensor));
  }
  return half;
}

// What the networks look like, and no path of the run.
std::string settings_of(ModelConfig config) {
  Options options;
  config.declare(options);
  return pretty(options.to_json());
}

}  // namespace

void write_small_checkpoint(const std::filesystem::path& path, const LoadedGenerator& loaded,
                            const Value& checkpoint) {
  Dict small;
  small.add("epoch", loaded.facts.epoch);
  small.add("G_state_dict", halved(state_dict(*loaded.generator)));
  if (const Value* discriminator = checkpoint.find("D_state_dict");
      discriminator != nullptr && discriminator->dict() != nullptr)
    small.add("D_state_dict", halved(*discriminator->dict()));
  small.add("images", loaded.facts.images_seen);
  small.add("architecture", loaded.config.architecture);
  small.add("config", settings_of(loaded.config));
  if (const Value* features = checkpoint.find("features"); features != nullptr)
    small.add("features", *features);
  small.add("format", kCheckpointFormat);
  write_torch_file(path, small);
}

}  // namespace nowhere
