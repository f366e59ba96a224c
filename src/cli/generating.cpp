#include "cli/generating.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/text.h"
#include "latent/seeds.h"

namespace nowhere {
namespace {

constexpr size_t kMaxSeeds = 1'000'000;

}  // namespace

void EpochOption::declare(Options& options) {
  options.integer("epoch", epoch, int64_t{0}, int64_t{1'000'000'000},
                  "of a run's checkpoints; 0: the newest");
}

std::optional<uint64_t> EpochOption::chosen() const {
  return epoch == 0 ? std::nullopt : std::optional(static_cast<uint64_t>(epoch));
}

void GeneratingOptions::declare(Options& options, std::string standard) {
  seeds = std::move(standard);
  options.text("seeds", seeds, "LIST", "which pictures: 0-15,40");
  options.number("truncation", truncation, 0, 1, "below 1: more usual pictures, and less different ones");
  epoch.declare(options);
  options.integer("threads", threads, 0, 1024, "that make pictures; 0: as many as there are cores");
}

std::vector<uint64_t> GeneratingOptions::seed_list() const {
  const auto list = parse_seeds(seeds, kMaxSeeds);
  if (!list)
    throw usage_error(
        fmt::format("--seeds {}: give whole numbers from 0 to 18446744073709551615 and ranges of them, "
                    "as in 0-15,40; at most {} in all",
                    printable_text(seeds), with_commas(kMaxSeeds)));
  return *list;
}

}  // namespace nowhere
