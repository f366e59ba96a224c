#include "train/epoch_data.h"

#include <fmt/core.h>

#include <charconv>

#include "data/selection_digest.h"

namespace nowhere {
namespace {

std::optional<int64_t> loader_number(const Value& loader, std::string_view key) {
  const Value* value = loader.find(key);
  return value != nullptr ? value->integer() : std::nullopt;
}

const std::string* loader_text(const Value& loader, std::string_view key) {
  const Value* value = loader.find(key);
  return value != nullptr ? value->text() : nullptr;
}

template <class Number>
void note_change(std::vector<std::string>& changes, const char* name, const std::optional<Number>& before,
                 const std::optional<Number>& now) {
  if (before && now && *before != *now)
    changes.push_back(fmt::format("{} was {} and is {}", name, *before, *now));
}

}  // namespace

EpochData epoch_data(const TrainConfig& config, const Photos& photos, const std::vector<uint32_t>& selected,
                     int ranks) {
  return {.seed = config.seed,
          .batch_size = config.batch_size,
          .photographs = static_cast<int64_t>(selected.size()),
          .max_per_sequence_epoch = config.max_per_sequence_epoch,
          .ranks = ranks,
          .digest = selection_digest(photos, selected)};
}

void add_epoch_data(Dict& loader, const EpochData& data) {
  // Pickles hold signed integers; a seed has 64 bits.
  if (data.seed) loader.add("seed", std::to_string(*data.seed));
  if (data.batch_size) loader.add("batch_size", *data.batch_size);
  if (data.ranks) loader.add("ranks", *data.ranks);
  if (data.photographs) loader.add("photographs", *data.photographs);
  if (data.max_per_sequence_epoch) loader.add("max_per_sequence_epoch", *data.max_per_sequence_epoch);
  if (data.digest) loader.add("data_digest", *data.digest);
}

EpochData epoch_data_of(const Value& checkpoint) {
  EpochData data;
  const Value* loader = checkpoint.find("loader");
  if (loader == nullptr) return data;
  if (const std::string* seed = loader_text(*loader, "seed")) {
    uint64_t number = 0;
    if (std::from_chars(seed->data(), seed->data() + seed->size(), number).ec == std::errc())
      data.seed = number;
  }
  data.batch_size = loader_number(*loader, "batch_size");
  data.ranks = loader_number(*loader, "ranks");
  if (!data.ranks && data.batch_size) data.ranks = 1;  // of a version that knew one process only
  data.photographs = loader_number(*loader, "photographs");
  data.max_per_sequence_epoch = loader_number(*loader, "max_per_sequence_epoch");
  if (const std::string* digest = loader_text(*loader, "data_digest")) data.digest = *digest;
  return data;
}

std::string differences(const EpochData& before, const EpochData& now) {
  std::vector<std::string> changes;
  note_change(changes, "the seed", before.seed, now.seed);
  note_change(changes, "the batch size", before.batch_size, now.batch_size);
  note_change(changes, "the number of processes", before.ranks, now.ranks);
  note_change(changes, "--max-per-sequence-epoch", before.max_per_sequence_epoch, now.max_per_sequence_epoch);
  note_change(changes, "the number of photographs", before.photographs, now.photographs);
  if (before.photographs == now.photographs && before.digest && now.digest && *before.digest != *now.digest)
    changes.emplace_back("the photographs are others, or in another order");
  std::string text;
  for (size_t i = 0; i < changes.size(); ++i)
    text += (i == 0 ? "" : i + 1 == changes.size() ? " and " : ", ") + changes[i];
  return text;
}

std::optional<Continuation> go_on_with_other_ranks(const EpochData& before, const EpochData& now,
                                                   uint64_t batches) {
  EpochData same_ranks = before;
  same_ranks.ranks = now.ranks;
  if (!before.ranks || !now.ranks || !now.batch_size || !differences(same_ranks, now).empty())
    return std::nullopt;
  const int64_t seen = static_cast<int64_t>(batches) * *now.batch_size * *before.ranks;
  const int64_t each = *now.batch_size * *now.ranks;
  const int64_t done = (seen + each - 1) / each;
  return Continuation{static_cast<uint64_t>(done), done * each - seen};
}

}  // namespace nowhere
