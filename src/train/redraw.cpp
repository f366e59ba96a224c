#include "train/redraw.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "model/generator_file.h"
#include "run/run_directory.h"
#include "train/config.h"
#include "train/figures.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// As the run was trained; the seed of the fixed noise is what the figures need of it.
TrainConfig saved_config(const fs::path& file) {
  TrainConfig config;
  if (!fs::exists(file)) return config;
  Options options;
  config.declare(options);
  options.from_json(read_json_file(file), printable(file));
  return config;
}

}  // namespace

std::vector<fs::path> redraw_figures(const fs::path& path) {
  if (fs::exists(path) && !fs::is_directory(path))
    throw usage_error(fmt::format("{} is a file; figures are drawn of a run directory", printable(path)));
  LoadedGenerator loaded = load_generator(path);
  const RunDirectory run(path);
  TrainConfig config = saved_config(run.config());
  config.model = loaded.config;
  make_directories(run.figures());
  make_directories(run.videos());
  return make_figures(run, loaded.generator, config);
}

}  // namespace nowhere
