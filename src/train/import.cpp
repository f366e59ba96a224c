#include "train/import.h"

#include <fmt/core.h>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "image/encode.h"
#include "image/grid.h"
#include "model/generator_file.h"
#include "model/pictures.h"
#include "model/tensors.h"
#include "run/run_directory.h"
#include "train/config.h"
#include "train/snapshot.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// The discriminator's width, read off its first layer; 0 when there is none.
int width_of_discriminator(const Value& file) {
  const Value* state = file.find("D_state_dict");
  if (state == nullptr || state->dict() == nullptr) return 0;
  for (const auto& [key, value] : state->dict()->entries) {
    const bool first = key.text() != nullptr && key.text()->ends_with("main.0.weight");
    if (first && value.tensor() != nullptr && value.tensor()->shape.size() == 4)
      return static_cast<int>(value.tensor()->shape[0]);
  }
  return 0;
}

void save_config(const RunDirectory& run, const ModelConfig& model) {
  TrainConfig config;
  config.model = model;
  config.name = fs::absolute(run.path()).lexically_normal().filename().string();
  config.root = fs::absolute(run.path()).lexically_normal().parent_path().string();
  Options options;
  config.declare(options);
  write_file(run.config(), pretty(options.to_json()));
}

// What the checkpoint's own noise looks like, as after every epoch of a run.
void save_fixed_noise(const RunDirectory& run, const Value& file, LoadedGenerator& loaded) {
  constexpr int kColumns = 8, kPadding = 2;
  const Value* noise = file.find("noise");
  if (noise == nullptr || noise->tensor() == nullptr) return;
  const torch::Tensor z = from_data(*noise->tensor()).to(torch::kFloat);
  if (z.dim() < 2 || z.size(0) < 1 || z.numel() != z.size(0) * loaded.config.nz) return;
  const fs::path picture = run.fixed_noise(loaded.epoch);
  make_directories(picture.parent_path());
  write_image(picture,
              make_grid(make_pictures(loaded.generator, z.view({z.size(0), -1, 1, 1})), kColumns, kPadding));
}

}  // namespace

Imported import_checkpoint(const fs::path& checkpoint, const fs::path& path) {
  if (fs::is_directory(checkpoint))
    throw usage_error(fmt::format("{} is a folder; give one checkpoint (.pt)", printable(checkpoint)));
  LoadedGenerator loaded = load_generator(checkpoint);
  const Value file = read_torch_file(loaded.file);
  RunDirectory run(path);
  if (run.used())
    throw usage_error(fmt::format("{} holds a run already; give another folder", printable(path)));
  ModelConfig model = loaded.config;
  const int width = width_of_discriminator(file);
  if (width > 0) model.ndf = width;
  run.claim();
  save_config(run, model);
  save_fixed_noise(run, file, loaded);
  if (width > 0) {
    std::error_code error;
    fs::copy_file(loaded.file, run.checkpoint(loaded.epoch), error);
    if (error)
      throw Error(fmt::format("{} cannot be copied to {}: {}", printable(loaded.file), printable(path),
                              error.message()));
  }
  TrainProgress progress;
  progress.epoch = loaded.epoch;
  progress.images = loaded.images;
  write_torch_file(run.slim_checkpoint(loaded.epoch), make_slim_snapshot(loaded.generator, progress, ""));
  return {loaded.epoch, loaded.config.img_size, width > 0};
}

}  // namespace nowhere
