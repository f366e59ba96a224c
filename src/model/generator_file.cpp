#include "model/generator_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "model/calibrate.h"
#include "model/checkpoint_files.h"
#include "model/tensors.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

bool holds_weights(const Value& file) {
  const Value* state = file.find("G_state_dict");
  return state != nullptr && state->dict() != nullptr;
}

LoadedGenerator from_value(const Value& value, const fs::path& file) {
  const std::string where = printable(file);
  const Value* average = value.find("G_ema_state_dict");
  const Value* state = average != nullptr ? average : value.find("G_state_dict");
  if (state == nullptr)
    throw data_error(fmt::format("{} holds no G_state_dict: it is not a checkpoint", where));
  LoadedGenerator loaded;
  loaded.file = file;
  loaded.config = config_of_generator(*state, where);
  loaded.generator = Generator(loaded.config);
  load_state_dict(*loaded.generator, *state, where);
  if (average != nullptr) loaded.generator = calibrated(loaded.generator, loaded.config);
  loaded.generator->eval();
  const auto whole = [&](const char* key) {
    const Value* number = value.find(key);
    return number != nullptr ? std::max<int64_t>(0, number->integer().value_or(0)) : 0;
  };
  loaded.epoch = static_cast<uint64_t>(whole("epoch"));
  loaded.images = whole("images");
  return loaded;
}

}  // namespace

ModelConfig config_of_generator(const Value& state, const std::string& where) {
  const Error unknown =
      data_error(fmt::format("{}: these are not the weights of a generator that this program knows", where));
  if (state.dict() == nullptr) throw unknown;
  std::map<int, std::vector<int64_t>> layers;  // by their place in main, convolutions only
  static const std::regex name(R"((?:module\.)*main\.(\d{1,4})\.weight)");
  for (const auto& [key, value] : state.dict()->entries) {
    std::smatch match;
    if (key.text() == nullptr || value.tensor() == nullptr || !std::regex_match(*key.text(), match, name))
      continue;
    if (value.tensor()->shape.size() == 4) layers[std::stoi(match[1])] = value.tensor()->shape;
  }
  if (layers.size() < 4 || layers.size() > 8) throw unknown;
  // A chain of 4 x 4 kernels; what the file does not hold must not be asked for.
  const int64_t* before = nullptr;
  for (const auto& [place, shape] : layers) {
    if (shape[2] != 4 || shape[3] != 4 || (before != nullptr && shape[0] != *before)) throw unknown;
    before = &shape[1];
  }
  const std::vector<int64_t>&first = layers.begin()->second, &last = layers.rbegin()->second;
  for (int64_t size : {first[0], last[0], last[1]})
    if (size < 1 || size > 4096) throw unknown;
  ModelConfig config;
  config.nz = static_cast<int>(first[0]);
  config.ngf = static_cast<int>(last[0]);
  config.nc = static_cast<int>(last[1]);
  config.img_size = 4 << (layers.size() - 1);
  return config;
}

LoadedGenerator load_generator(const fs::path& path, std::optional<uint64_t> epoch) {
  const fs::path file = checkpoint_file(path, epoch);
  const Value value = read_torch_file(file);
  const fs::path full = full_beside(file);
  if (value.find("G_state_dict") == nullptr || holds_weights(value) || full.empty())
    return from_value(value, file);
  if (!fs::exists(full))
    throw data_error(
        fmt::format("{} holds a number where the generator's weights belong, a fault of the original; put "
                    "{} beside it, or give that file",
                    printable(file), printable(full.filename())));
  return from_value(read_torch_file(full), full);
}

}  // namespace nowhere
