#include "train/snapshot.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/text.h"
#include "model/generator_file.h"
#include "model/state_dict.h"
#include "tensor/tensors.h"
#include "train/optimizer_state.h"

namespace nowhere {
namespace {

Value list_of(const std::vector<double>& numbers) {
  List list;
  for (double number : numbers) list.items.emplace_back(number);
  return list;
}

template <class Network>
Dict scaler_state(const Player<Network>& player) {
  Dict state;
  auto& scaler = const_cast<LossScaler&>(player.scaler);
  state.add("scale", to_data(scaler.current()));
  state.add("growth_tracker", to_data(scaler.good_steps()));
  return state;
}

void load_scaler(LossScaler& scaler, const Value* state) {
  if (state == nullptr || !scaler.enabled()) return;
  const Value *scale = state->find("scale"), *good = state->find("growth_tracker");
  const auto is_number = [](const Value* value) {
    return value != nullptr && value->tensor() != nullptr && value->tensor()->count() == 1;
  };
  if (!is_number(scale) || !is_number(good)) return;
  scaler.current().copy_(from_data(*scale->tensor()).reshape({}));
  scaler.good_steps().copy_(from_data(*good->tensor()).reshape({}));
}

std::vector<double> numbers_of(const Value* value) {
  std::vector<double> numbers;
  if (value == nullptr || value->items() == nullptr) return numbers;
  for (const Value& item : *value->items()) {
    if (item.number()) numbers.push_back(*item.number());
    // The reference's losses are numbers in some versions and tensors without dimensions in others.
    else if (item.tensor() != nullptr && item.tensor()->count() == 1)
      numbers.push_back(from_data(*item.tensor()).to(torch::kDouble).item<double>());
  }
  return numbers;
}

int64_t whole(const Value& snapshot, std::string_view key, int64_t otherwise) {
  const Value* value = snapshot.find(key);
  return value != nullptr ? value->integer().value_or(otherwise) : otherwise;
}

const Value& part(const Value& snapshot, const char* key, const std::string& where) {
  const Value* value = snapshot.find(key);
  if (value == nullptr)
    throw data_error(fmt::format("{} holds no {}: it is not a training checkpoint", where, key));
  return *value;
}

TrainProgress progress_of(const Value& snapshot) {
  TrainProgress progress;
  progress.epoch = static_cast<uint64_t>(std::max<int64_t>(0, whole(snapshot, "epoch", 0)));
  progress.step = static_cast<uint64_t>(std::max<int64_t>(0, whole(snapshot, "step", 0)));
  progress.images = whole(snapshot, "images", 0);
  progress.planned_steps = static_cast<uint64_t>(std::max<int64_t>(0, whole(snapshot, "planned_steps", 0)));
  if (const Value* loader = snapshot.find("loader"); loader != nullptr)
    progress.batches = static_cast<uint64_t>(std::max<int64_t>(0, whole(*loader, "batches", 0)));
  if (const Value* share = snapshot.find("lr_share"); share != nullptr)
    progress.lr_share = share->number().value_or(1);
  if (const Value* losses = snapshot.find("losses"); losses != nullptr)
    progress.losses = {numbers_of(losses->find("_G")), numbers_of(losses->find("_D")),
                       static_cast<uint64_t>(std::max<int64_t>(0, whole(snapshot, "log_points", 0))),
                       static_cast<uint64_t>(std::max<int64_t>(0, whole(snapshot, "losses_every", 0)))};
  return progress;
}

// The heads have learnt what one network shows them.
void check_features(const FeatureMaps& frozen, const Value* facts, const std::string& where) {
  const Value *name = facts != nullptr ? facts->find("name") : nullptr,
              *digest = facts != nullptr ? facts->find("digest") : nullptr;
  if (name == nullptr || name->text() == nullptr || digest == nullptr || digest->text() == nullptr) return;
  if (*digest->text() != frozen.digest())
    throw data_error(fmt::format(
        "{} was trained through {}, and {} is another network; give the file it had with --features", where,
        printable_text(*name->text()), frozen.name()));
}

}  // namespace

Value make_snapshot(const SnapshotParts& parts) {
  const TrainProgress& progress = parts.progress;
  Dict losses, loader, random;
  losses.add("_G", list_of(progress.losses.g()));
  losses.add("_D", list_of(progress.losses.d()));
  loader.add("epoch", progress.epoch);
  loader.add("batches", progress.batches);
  add_epoch_data(loader, parts.data);
  random.add("seed", std::to_string(parts.data.seed.value_or(0)));
  random.add("step", progress.step);
  const Player<Generator>& generator = parts.players.generator;
  const Player<Discriminator>& discriminator = parts.players.discriminator;

  Dict snapshot;
  snapshot.add("epoch", progress.epoch);
  snapshot.add("D_state_dict", state_dict(*discriminator.network));
  snapshot.add("G_state_dict", state_dict(*generator.network));
  snapshot.add("D_optim", optimizer_state(discriminator.adam));
  snapshot.add("G_optim", optimizer_state(generator.adam));
  snapshot.add("losses", losses);
  snapshot.add("img_list", parts.pictures.value());
  snapshot.add("noise", to_data(parts.noise));
  if (parts.players.average) snapshot.add("G_ema_state_dict", state_dict(**parts.players.average));
  snapshot.add("D_scaler", scaler_state(discriminator));
  snapshot.add("G_scaler", scaler_state(generator));
  snapshot.add("step", progress.step);
  snapshot.add("images", progress.images);
  snapshot.add("lr_share", progress.lr_share);
  snapshot.add("planned_steps", progress.planned_steps);
  snapshot.add("log_points", progress.losses.seen());
  snapshot.add("losses_every", progress.losses.every());
  snapshot.add("loader", loader);
  snapshot.add("random", random);
  snapshot.add("architecture", parts.architecture);
  snapshot.add("config", parts.config);
  if (parts.players.frozen) snapshot.add("features", features_facts(*parts.players.frozen));
  snapshot.add("format", kCheckpointFormat);
  return snapshot;
}

Restored restore_snapshot(const Value& snapshot, Players& players, const ModelConfig& model,
                          const std::string& where) {
  if (whole(snapshot, "format", kCheckpointFormat) > kCheckpointFormat)
    throw data_error(fmt::format("{} was written by a newer version; its format is {}, this program knows {}",
                                 where, whole(snapshot, "format", kCheckpointFormat), kCheckpointFormat));
  if (players.frozen) check_features(*players.frozen, snapshot.find("features"), where);
  load_state_dict(*players.generator.network, part(snapshot, "G_state_dict", where),
                  where + ", G_state_dict");
  load_state_dict(*players.discriminator.network, part(snapshot, "D_state_dict", where),
                  where + ", D_state_dict");
  load_optimizer_state(players.generator.adam, part(snapshot, "G_optim", where), where + ", G_optim");
  load_optimizer_state(players.discriminator.adam, part(snapshot, "D_optim", where), where + ", D_optim");
  load_scaler(players.generator.scaler, snapshot.find("G_scaler"));
  load_scaler(players.discriminator.scaler, snapshot.find("D_scaler"));
  if (players.average) {
    // A checkpoint of the reference has no average: it begins with the generator.
    const Value* average = snapshot.find("G_ema_state_dict");
    load_state_dict(**players.average, average != nullptr ? *average : part(snapshot, "G_state_dict", where),
                    where + ", G_ema_state_dict");
  }
  return {.progress = progress_of(snapshot),
          .noise = noise_of_checkpoint(snapshot, model.nz),
          .data = epoch_data_of(snapshot),
          .pictures = PictureHistory(snapshot.find("img_list"), model)};
}

}  // namespace nowhere
