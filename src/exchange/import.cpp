#include "exchange/import.h"

#include <fmt/core.h>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "image/encode.h"
#include "image/grid.h"
#include "model/generator_file.h"
#include "model/picture_backend.h"
#include "run/run_directory.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// What the checkpoint says of its training; of a file of the reference, what its networks look like.
boost::json::object settings_for(const RunDirectory& run, const Value& checkpoint, const std::string& where) {
  const auto saved = settings_of_checkpoint(checkpoint, where);
  boost::json::object settings;
  if (saved) {
    settings = upgraded_settings(*saved);
  } else {
    ModelConfig config = config_of_checkpoint(checkpoint, where);
    Options options;
    config.declare(options);
    settings = options.to_json();
  }
  const fs::path place = fs::absolute(run.path()).lexically_normal();
  settings["name"] = place.filename().string();
  settings["root"] = place.parent_path().string();
  return settings;
}

// What the checkpoint's own noise looks like, as after every epoch of a run.
void save_fixed_noise(const RunDirectory& run, const Value& checkpoint, const LoadedGenerator& loaded) {
  const torch::Tensor noise = noise_of_checkpoint(checkpoint, loaded.config.nz);
  if (!noise.defined()) return;
  const fs::path picture = run.fixed_noise(loaded.facts.epoch);
  make_directories(picture.parent_path());
  write_image(picture, make_sheet(make_images(*picture_backend(loaded.generator), {noise, {}})));
}

bool has_discriminator(const Value& checkpoint) {
  const Value* state = checkpoint.find("D_state_dict");
  return state != nullptr && state->dict() != nullptr && !state->dict()->entries.empty();
}

}  // namespace

Imported import_checkpoint(const RunReader& reader, const fs::path& target) {
  const auto [file, checkpoint] = reader.read(reader.find());
  const LoadedGenerator loaded = load_generator(reader, file);
  RunDirectory run(target);
  if (run.used())
    throw usage_error(fmt::format("{} holds a run already; give another folder", printable(target)));
  const std::string settings = pretty(settings_for(run, checkpoint, loaded.facts.file));
  run.claim();
  write_file(run.config(), settings);
  save_fixed_noise(run, checkpoint, loaded);
  const uint64_t epoch = loaded.facts.epoch;
  if (has_discriminator(checkpoint)) {
    auto content = reader.store().read(file.name);
    if (!content) throw data_error(content.error().reason);
    write_file(run.checkpoint(epoch), content->bytes, /*durable=*/true);
  }
  write_torch_file(run.slim_checkpoint(epoch), slim_checkpoint(loaded.generator, loaded.config, epoch,
                                                               loaded.facts.images_seen, settings));
  return {epoch, loaded.config.img_size, has_discriminator(checkpoint)};
}

}  // namespace nowhere
