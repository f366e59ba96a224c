#include "model/generator_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/text.h"
#include "model/architectures/architecture.h"
#include "model/calibrate.h"
#include "model/state_dict.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

// Names, shapes and numbers of all tensors, in the order of the network.
std::string digest_of(const Generator& generator) {
  uint64_t first = 1, second = 2;
  for (const auto& [name, value] : state_dict(*generator).entries) {
    const TensorData& tensor = *value.tensor();
    const std::string text = *name.text() + shape_text(tensor.shape);
    for (uint64_t* hash : {&first, &second}) *hash = hash64(tensor.bytes(), hash64(text, *hash));
  }
  return fmt::format("{:016x}{:016x}", first, second);
}

// A training that went wrong leaves such weights behind, and no picture of theirs means anything.
void check_numbers(const NetworkImpl& network, const std::string& where) {
  for (const auto& group : {network.named_parameters(), network.named_buffers()})
    for (const auto& item : group)
      if (!item.value().isfinite().all().item<bool>())
        throw data_error(fmt::format(
            "checkpoint {} holds weights that are not numbers ({}); take an earlier one", where, item.key()));
}

std::string text_in(const Value* dict, std::string_view key) {
  const Value* value = dict != nullptr ? dict->find(key) : nullptr;
  return value != nullptr && value->text() != nullptr ? printable_text(*value->text()) : "";
}

int64_t natural(const Value& checkpoint, const char* key) {
  const Value* number = checkpoint.find(key);
  return number != nullptr ? std::max<int64_t>(0, number->integer().value_or(0)) : 0;
}

}  // namespace

std::optional<boost::json::object> settings_of_checkpoint(const Value& checkpoint, const std::string& where) {
  const Value* text = checkpoint.find("config");
  if (text == nullptr || text->text() == nullptr || text->text()->empty()) return std::nullopt;
  try {
    return parse_json_object(*text->text(), where + ", config");
  } catch (const Error& error) {
    throw data_error(error.what());  // not the user's typing
  }
}

ModelConfig config_of_checkpoint(const Value& checkpoint, const std::string& where) {
  if (const auto settings = settings_of_checkpoint(checkpoint, where)) {
    try {
      const ModelConfig config = ModelConfig::from_json(*settings, where + ", config");
      config.check();
      return config;
    } catch (const Error& error) {
      throw data_error(error.what());
    }
  }
  const TensorShapes generator = shapes_of(checkpoint.find("G_state_dict")),
                     discriminator = shapes_of(checkpoint.find("D_state_dict"));
  for (const Architecture& row : architectures()) {
    const auto config =
        row.recognise != nullptr ? row.recognise(generator, discriminator) : std::optional<ModelConfig>();
    if (!config) continue;
    try {
      config->check();
      return *config;
    } catch (const Error& error) {
      throw data_error(fmt::format("{}: {}", where, error.what()));
    }
  }
  throw data_error(
      fmt::format("{}: these are not the weights of a generator that this program knows", where));
}

torch::Tensor noise_of_checkpoint(const Value& checkpoint, int64_t nz) {
  constexpr int64_t kMostVectors = 1024;  // a picture is made of each after every epoch
  const Value* noise = checkpoint.find("noise");
  const TensorData* data = noise != nullptr ? noise->tensor() : nullptr;
  if (data == nullptr || data->shape.size() < 2 || data->repeats()) return {};
  const int64_t count = data->shape[0];
  if (count < 1 || count > kMostVectors || data->count() != count * nz) return {};
  return from_data(*data).to(torch::kFloat).reshape({count, nz, 1, 1});
}

LoadedGenerator load_generator(const RunReader& run, const CheckpointFile& wanted) {
  const auto [file, checkpoint] = run.read(wanted);
  const std::string where = run.location(file);
  const Value* average = checkpoint.find("G_ema_state_dict");
  LoadedGenerator loaded;
  loaded.config = config_of_checkpoint(checkpoint, where);
  const Value& state = average != nullptr ? *average : *checkpoint.find("G_state_dict");
  // Before the network is made: what the file does not hold must not be asked for.
  check_state_dict(describe_generator(loaded.config).tensors(), state, where);
  loaded.generator = Generator(loaded.config);
  load_state_dict(*loaded.generator, state, where);
  check_numbers(*loaded.generator, where);
  if (average != nullptr) loaded.generator = calibrated(loaded.generator, loaded.config);
  loaded.generator->eval();
  loaded.facts = {.name = run.name(),
                  .file = where,
                  .file_name = printable(file.name),
                  .architecture = loaded.config.architecture,
                  .channels = loaded.config.nc,
                  .picture_size = loaded.config.img_size,
                  .latent_size = loaded.config.nz,
                  .parameters = loaded.generator->description().parameters(),
                  .epoch = static_cast<uint64_t>(natural(checkpoint, "epoch")),
                  .images_seen = natural(checkpoint, "images"),
                  .digest = digest_of(loaded.generator),
                  .trained_on = run.trained_on(),
                  .features = text_in(checkpoint.find("features"), "name"),
                  .features_digest = text_in(checkpoint.find("features"), "digest")};
  return loaded;
}

Dict features_facts(const FeatureMaps& frozen) {
  Dict facts;
  facts.add("name", frozen.name());
  facts.add("digest", frozen.digest());
  return facts;
}

Value slim_checkpoint(const Generator& generator, const ModelConfig& config, uint64_t epoch, int64_t images,
                      const std::string& settings, const FeatureMaps* frozen) {
  Dict slim;
  slim.add("epoch", epoch);
  slim.add("G_state_dict", state_dict(*generator));
  slim.add("images", images);
  slim.add("architecture", config.architecture);
  slim.add("config", settings);
  if (frozen != nullptr) slim.add("features", features_facts(*frozen));
  slim.add("format", kCheckpointFormat);
  return slim;
}

}  // namespace nowhere
