#include "figures/redraw.h"

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

DrawnFigures redraw_figures(const RunReader& reader, const fs::path& folder) {
  const LoadedGenerator loaded = load_generator(reader, reader.find());
  const RunDirectory run(folder);
  make_directories(run.figures());
  make_directories(run.videos());
  return make_figures(run, loaded.generator, seed_of(reader));
}

}  // namespace nowhere
