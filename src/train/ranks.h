// What the processes of a run settle together. A process that trains alone has nobody to ask.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "dist/group.h"
#include "train/players.h"
#include "train/snapshot.h"

namespace nowhere {

// Of what is drawn in the steps of a rank: no rank draws what another one does. Rank 0 has that of the run.
uint64_t rank_seed(uint64_t seed, int rank);

// What a rank wishes after a step, and what all of them do: the same, at the same step.
struct Decision {
  int stop_signal = 0;         // 0: go on
  bool save = false;           // it is time for a checkpoint
  bool failed = false;         // a rank cannot go on
  uint64_t planned_steps = 0;  // see TrainProgress; 0: not known yet
};

class Ranks {
 public:
  // `group` is null for a process that trains alone; otherwise it outlives this.
  explicit Ranks(Group* group) : group_(group) {}

  Group* group() const { return group_; }
  int rank() const { return group_ != nullptr ? group_->rank() : 0; }
  int size() const { return group_ != nullptr ? group_->size() : 1; }
  bool is_main() const { return rank() == 0; }  // which claims the directory, writes and prints

  Decision agree(const Decision& own);
  // Rank 0's networks, moments and progress for all, but for the record of losses, which rank 0 keeps.
  void share(Players& players, TrainProgress& progress);
  bool from_main(bool answer, const std::string& what);
  // Means over the ranks.
  void average(std::span<double> figures);
  uint64_t sum(uint64_t count);
  // Throws when the ranks' weights are no longer the same, and names the first tensor that differs.
  void check_weights(const Players& players, uint64_t step);
  // Why ranks failed: the first reason that is not empty, with its rank.
  std::string first_failure(const std::string& own);

 private:
  bool alone() const { return size() == 1; }

  Group* group_;
};

// Throws a usage error, on every rank, when settings, data or programs differ; names what does and on which
// rank. `settings` are those that must be the same, `data` a digest.
void check_same_work(Group& group, const boost::json::object& settings, const std::string& data);

}  // namespace nowhere
