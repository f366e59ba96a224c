#include "train/checkpoints.h"

#include <fmt/core.h>

#include <cmath>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "core/text.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

uint64_t bytes_of(const Value& value) {
  uint64_t bytes = 0;
  if (const TensorData* tensor = value.tensor(); tensor != nullptr) return tensor->storage.size();
  if (const Dict* dict = value.dict(); dict != nullptr)
    for (const auto& [key, item] : dict->entries) bytes += bytes_of(item);
  if (const auto* items = value.items(); items != nullptr)
    for (const Value& item : *items) bytes += bytes_of(item);
  return bytes;
}

void check_space(const fs::path& folder, uint64_t wanted) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < wanted)
    throw Error(
        fmt::format("{} of disk are needed, {} are free", human_bytes(wanted), human_bytes(space.available)));
}

// Read back before anything older is removed for it; what cannot be is removed itself.
void write_and_check(const fs::path& file, const Value& value) {
  write_torch_file(file, value);
  try {
    check_torch_file(file, value);
  } catch (const Error&) {
    std::error_code error;
    fs::remove(file, error);
    throw;
  }
}

std::string metric_name(KeepBest metric) {
  switch (metric) {
    case KeepBest::kSwd:
      return "swd";
    case KeepBest::kDiversity:
      return "diversity";
    case KeepBest::kGeneratorLoss:
      return "g_loss";
    case KeepBest::kNone:
      break;
  }
  return "none";
}

}  // namespace

Checkpoints::Checkpoints(const RunDirectory& run, const TrainConfig& config, Background& background,
                         std::function<void(uint64_t, double)> written,
                         std::function<void(const fs::path&)> slim_written)
    : run_(run),
      config_(config),
      background_(background),
      written_(std::move(written)),
      slim_written_(std::move(slim_written)) {}

void Checkpoints::save(Save save) {
  background_.post([this, save = std::move(save)] { write(save); });
}

void Checkpoints::write(const Save& save) {
  const fs::path file = run_.checkpoint(save.epoch, save.batches);
  const Stopwatch watch;
  try {
    check_space(run_.path(), bytes_of(save.full) + (save.slim ? bytes_of(*save.slim) : 0));
    write_and_check(file, save.full);
    if (save.slim) write_and_check(run_.slim_checkpoint(save.epoch), *save.slim);
    failed_ = false;
  } catch (const std::exception& error) {
    failed_ = true;
    throw Error(fmt::format("{} was not saved: {}; training goes on, earlier checkpoints are untouched",
                            printable(file), error.what()));
  }
  const std::string metric = metric_name(config_.keep_best);
  if (save.score && !best_) best_ = read_best(run_, metric);
  if (save.score && std::isfinite(*save.score) && (!best_ || *save.score > best_->score)) {
    best_ = BestCheckpoint{metric, save.epoch, *save.score};
    write_best(run_, *best_);
  }
  run_.prune(config_.keep_last, best_ ? std::optional(best_->epoch) : std::nullopt,
             {.epoch = save.epoch, .batches = save.batches});
  written_(save.epoch, watch.seconds());
  if (save.slim && slim_written_) slim_written_(run_.slim_checkpoint(save.epoch));
}

std::optional<LoadedCheckpoint> newest_checkpoint(const RunDirectory& run,
                                                  const std::function<void(const std::string&)>& warn) {
  for (const CheckpointName& name : run.checkpoints()) {
    try {
      return LoadedCheckpoint{name, run.file(name), read_torch_file(run.file(name))};
    } catch (const Error& error) {
      // Left where it is, it would count as newer than all that is saved from now on.
      const fs::path aside = run.set_aside(name);
      warn(fmt::format("{}; it is kept as {}, and the one before it is tried", error.what(),
                       printable(aside.filename())));
    }
  }
  return std::nullopt;
}

}  // namespace nowhere
