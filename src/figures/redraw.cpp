#include "figures/redraw.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/file.h"
#include "figures/figures.h"
#include "model/generator_file.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// Of the fixed noise; 0, the default, for a run that does not say.
uint64_t seed_of(const RunReader& run) {
  const auto config = run.config();
  const auto* seed = config ? config->if_contains("seed") : nullptr;
  return seed != nullptr && seed->is_number() ? seed->to_number<uint64_t>() : 0;
}

}  // namespace

DrawnFigures redraw_figures(const fs::path& path) {
  if (fs::exists(path) && !fs::is_directory(path))
    throw usage_error(fmt::format("{} is a file; figures are drawn of a run directory", printable(path)));
  const RunReader reader = RunReader::open(path);
  const LoadedGenerator loaded = load_generator(reader, reader.find());
  const RunDirectory run(path);
  make_directories(run.figures());
  make_directories(run.videos());
  return make_figures(run, loaded.generator, seed_of(reader));
}

}  // namespace nowhere
