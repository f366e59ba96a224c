// Which of how many processes this is, as whoever started it says in the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.h"

namespace nowhere {

struct World {
  int rank = 0, size = 1;              // of all processes of the run
  int local_rank = 0, local_size = 1;  // of those on this machine
  std::string address;                 // of the store, through which the processes find each other
  uint16_t port = 0;
  bool store_runs = false;       // torchrun holds the store; otherwise rank 0 does
  std::optional<int> listening;  // a socket on that port for rank 0, from the launcher
  int restarts = 0;              // how often the whole group was started again

  bool is_main() const { return rank == 0; }
};

// By torchrun and our launcher (RANK, WORLD_SIZE, ...), Slurm's srun or Open MPI's mpirun. Nothing where none
// of them speaks of a group. Throws a usage error that names the variable which is missing or makes no sense.
std::optional<World> world_of(const Environment& environment);

// "node[07-09,12],gpu1" -> "node07": the first of Slurm's list of hosts.
std::string first_host(const std::string& slurm_list);
// "4(x2),3" -> 4, 4, 3 for the nodes 0, 1, 2: how many tasks a node has. Nothing where the text makes no
// sense.
std::optional<int> tasks_of_node(const std::string& slurm_tasks, int node);

}  // namespace nowhere
