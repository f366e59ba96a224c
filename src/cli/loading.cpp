#include "cli/loading.h"

#include <limits>

#include "cli/common.h"

namespace nowhere {

void LoadingOptions::declare_batch(Options& options) {
  options.integer("batch", loader.batch, 1, 65536, "samples in a batch");
}

void LoadingOptions::declare(Options& options) {
  options.integer("size", loader.sample.size, 8, 1024, "side of a sample, in pixels");
  loader.sample.augment.declare(options);
  options.number("noise", loader.sample.noise, 0, 1,
                 "standard deviation of noise on the samples, of pixels in [0,1]");
  options.integer("max-per-sequence-epoch", max_per_sequence_epoch, 1, std::numeric_limits<int64_t>::max(),
                  "at most N frames of a sequence in an epoch, others in the next");
  options.alias("--max-per-drive");
  options.seed("seed", seed, "decides order, crops and flips");
  options.integer("read-ahead", loader.read_ahead, 0, 1024,
                  "batches that a packed file is asked for before they are read, for slow disks");
  declare_threads(options, loader.threads);
}

Sampler LoadingOptions::sampler(const Source& source, std::vector<uint32_t> selected) const {
  return Sampler(source.photos(), std::move(selected),
                 {.seed = seed, .max_per_sequence_epoch = max_per_sequence_epoch});
}

}  // namespace nowhere
