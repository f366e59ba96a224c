#include "train/ranks.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/json.h"
#include "core/random.h"
#include "dist/equality.h"

namespace nowhere {
namespace {

template <class Network>
void add_weights(NamedTensors& tensors, const std::string& name, const Player<Network>& player) {
  for (const auto& item : player.network->named_parameters())
    tensors.emplace_back(name + "." + item.key(), item.value());
  for (size_t i = 0; i < player.adam.moments().size(); ++i) {
    tensors.emplace_back(fmt::format("{}'s first moment {}", name, i), player.adam.moments()[i].first);
    tensors.emplace_back(fmt::format("{}'s second moment {}", name, i), player.adam.moments()[i].second);
  }
}

// Batch statistics are left out: each rank has those of its own batches, as with PyTorch's
// DistributedDataParallel, and those of rank 0 are saved.
NamedTensors weights_of(const Players& players) {
  NamedTensors tensors;
  add_weights(tensors, "G", players.generator);
  add_weights(tensors, "D", players.discriminator);
  if (players.average)
    for (const auto& item : (*players.average)->named_parameters())
      tensors.emplace_back("average." + item.key(), item.value());
  return tensors;
}

void add_state(std::vector<torch::Tensor>& tensors, const torch::nn::Module& network) {
  for (const torch::Tensor& tensor : network.parameters()) tensors.push_back(tensor);
  for (const torch::Tensor& tensor : network.buffers()) tensors.push_back(tensor);
}

template <class Network>
void add_state(std::vector<torch::Tensor>& tensors, Player<Network>& player) {
  add_state(tensors, *player.network);
  for (AdamMoments& moments : player.adam.moments())
    tensors.insert(tensors.end(), {moments.step, moments.first, moments.second});
  if (!player.scaler.enabled()) return;
  tensors.push_back(player.scaler.current());
  tensors.push_back(player.scaler.good_steps());
}

// "--lr is 0.001 on rank 0 (...) and 0.002 on rank 1 (...)"; empty when nothing differs.
std::string first_other_setting(const Group& group, const std::vector<std::string>& texts) {
  const boost::json::object first = parse_json_object(texts[0], "the settings of rank 0");
  for (size_t rank = 1; rank < texts.size(); ++rank) {
    if (texts[rank] == texts[0]) continue;
    const auto name = group.name_of(static_cast<int>(rank));
    const boost::json::object other = parse_json_object(texts[rank], "the settings of " + name);
    for (const auto& [key, value] : first)
      if (!other.contains(key) || other.at(key) != value) {
        std::string flag(key);
        std::ranges::replace(flag, '_', '-');
        return fmt::format("--{} is {} on {} and {} on {}", flag, json_text(value), group.name_of(0),
                           other.contains(key) ? json_text(other.at(key)) : "unknown", name);
      }
    return fmt::format("{} has other settings than {}", name, group.name_of(0));
  }
  return "";
}

}  // namespace

uint64_t rank_seed(uint64_t seed, int rank) {
  return rank == 0 ? seed : Random(seed, Purpose::kRank, {static_cast<uint64_t>(rank)}).bits();
}

Decision Ranks::agree(const Decision& own) {
  if (alone()) return own;
  torch::Tensor wishes = torch::tensor({int64_t{own.stop_signal}, int64_t{own.save}, int64_t{own.failed},
                                        static_cast<int64_t>(own.planned_steps)});
  group_->reduce(wishes, Reduction::kMax, "agreeing on the next step");
  const int64_t* most = wishes.const_data_ptr<int64_t>();
  return {static_cast<int>(most[0]), most[1] != 0, most[2] != 0, static_cast<uint64_t>(most[3])};
}

void Ranks::share(Players& players, TrainProgress& progress) {
  if (alone()) return;
  std::vector<torch::Tensor> tensors;
  add_state(tensors, players.generator);
  add_state(tensors, players.discriminator);
  if (players.average) add_state(tensors, **players.average);
  group_->broadcast(tensors, "the networks");
  torch::Tensor numbers = torch::tensor(
      {static_cast<int64_t>(progress.epoch), static_cast<int64_t>(progress.batches),
       static_cast<int64_t>(progress.step), progress.images, static_cast<int64_t>(progress.planned_steps)});
  torch::Tensor share = torch::tensor(progress.lr_share, torch::kDouble);
  group_->broadcast({numbers, share}, "how far the run is");
  const int64_t* values = numbers.const_data_ptr<int64_t>();
  progress.epoch = static_cast<uint64_t>(values[0]);
  progress.batches = static_cast<uint64_t>(values[1]);
  progress.step = static_cast<uint64_t>(values[2]);
  progress.images = values[3];
  progress.planned_steps = static_cast<uint64_t>(values[4]);
  progress.lr_share = share.item<double>();
}

bool Ranks::from_main(bool answer, const std::string& what) {
  if (alone()) return answer;
  torch::Tensor number = torch::tensor(int64_t{answer});
  group_->broadcast({number}, what);
  return number.item<int64_t>() != 0;
}

void Ranks::average(std::span<double> figures) {
  if (alone()) return;
  torch::Tensor sums = torch::tensor(at::ArrayRef<double>(figures.data(), figures.size()), torch::kDouble);
  group_->reduce(sums, Reduction::kSum, "adding up the figures of a log point");
  const double* values = sums.const_data_ptr<double>();
  for (size_t i = 0; i < figures.size(); ++i) figures[i] = values[i] / size();
}

uint64_t Ranks::sum(uint64_t count) {
  if (alone()) return count;
  torch::Tensor total = torch::tensor(static_cast<int64_t>(count));
  group_->reduce(total, Reduction::kSum, "adding up the figures of a log point");
  return static_cast<uint64_t>(total.item<int64_t>());
}

void Ranks::check_weights(const Players& players, uint64_t step) {
  if (alone()) return;
  if (const auto different = first_difference(*group_, weights_of(players)))
    throw Error(
        fmt::format("after step {} the ranks no longer hold the same weights: the first tensor that differs "
                    "is {}; see that all machines have the same processors, program and libraries, and "
                    "--resume from the newest checkpoint",
                    step, *different));
}

std::string Ranks::first_failure(const std::string& own) {
  if (alone()) return own;
  const std::vector<std::string> reasons = group_->gather("failures", own);
  for (size_t rank = 0; rank < reasons.size(); ++rank)
    if (!reasons[rank].empty())
      return static_cast<int>(rank) == this->rank()
                 ? reasons[rank]
                 : fmt::format("{}: {}", group_->name_of(static_cast<int>(rank)), reasons[rank]);
  return own;
}

void check_same_work(Group& group, const boost::json::object& settings, const std::string& data) {
  const std::string other = first_other_setting(group, group.gather("settings", json_text(settings)));
  if (!other.empty()) throw usage_error(other + "; start all ranks with the same settings");
  if (const auto rank = first_other_text(group, "photographs", data))
    throw usage_error(fmt::format("{} has other photographs than {}; give all ranks the same data",
                                  group.name_of(*rank), group.name_of(0)));
}

}  // namespace nowhere
