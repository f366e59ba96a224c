#include "train/initial.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "model/state_dict.h"
#include "run/run_reader.h"

namespace nowhere {
namespace {

size_t weights_of(const NetworkImpl& network) {
  return static_cast<size_t>(std::ranges::count_if(network.tensors(), [](const TensorDescription& tensor) {
    return tensor.role != TensorDescription::Role::kCounter;
  }));
}

}  // namespace

std::string begin_from(const std::filesystem::path& path, Players& players) {
  const RunReader run = RunReader::open(path);
  const auto [file, checkpoint] = run.read_full(run.find());
  const Value *average = checkpoint.find("G_ema_state_dict"),
              *generator = average != nullptr ? average : checkpoint.find("G_state_dict"),
              *discriminator = checkpoint.find("D_state_dict");
  Generator& G = players.generator.network;
  Discriminator& D = players.discriminator.network;
  const size_t of_g = generator != nullptr ? load_what_fits(*G, *generator) : 0, all_of_g = weights_of(*G),
               all_of_d = weights_of(*D);
  if (of_g == 0)
    throw data_error(fmt::format(
        "--init {}: no tensor of its generator fits this one; take its --architecture, --ngf, --nz "
        "and --img-size",
        run.location(file)));
  if (players.average) load_what_fits(**players.average, *generator);
  const size_t of_d = discriminator != nullptr ? load_what_fits(*D, *discriminator) : 0;
  return fmt::format("begins with {}: {} of {} tensors of G, {} of {} of D", run.location(file), of_g,
                     all_of_g, of_d, all_of_d);
}

}  // namespace nowhere
