// The flags of the loader and the sampler, for the commands that load batches.
#pragma once

#include <vector>

#include "core/options.h"
#include "data/loader.h"
#include "data/sampler.h"
#include "data/source.h"

namespace nowhere {

struct LoadingOptions {
  LoaderConfig loader;
  uint64_t seed = 0;
  int64_t max_per_sequence_epoch = 0;

  void declare_batch(Options& options);
  void declare(Options& options);  // the others
  Sampler sampler(const Source& source, std::vector<uint32_t> selected) const;
};

}  // namespace nowhere
