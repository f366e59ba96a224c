#include "launch/world.h"

#include <fmt/core.h>

#include <limits>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr int kMaxRanks = 1 << 20;

class Variables {
 public:
  explicit Variables(const Environment& environment) : environment_(environment) {}

  bool has(const std::string& name) const { return environment_(name).has_value(); }
  std::optional<std::string> text(const std::string& name) const { return environment_(name); }

  int number(const std::string& name, int low, int high) const {
    const auto found = environment_(name);
    if (!found)
      throw usage_error(
          fmt::format("{} is not in the environment, but other variables of a group of processes are; "
                      "set it, or unset them to train with one process",
                      name));
    const auto value = parse_integer(*found);
    if (!value || *value < low || *value > high)
      throw usage_error(fmt::format("{} is '{}' in the environment; it must be a number from {} to {}", name,
                                    printable_text(*found), low, high));
    return static_cast<int>(*value);
  }
  int number(const std::string& name, int low, int high, int otherwise) const {
    return has(name) ? number(name, low, high) : otherwise;
  }

 private:
  const Environment& environment_;
};

struct Names {
  const char *rank, *size, *local_rank, *local_size;
};

void take_ranks(World& world, const Variables& variables, const Names& names) {
  world.size = variables.number(names.size, 1, kMaxRanks);
  world.rank = variables.number(names.rank, 0, world.size - 1);
  world.local_rank = variables.number(names.local_rank, 0, world.size - 1, 0);
  world.local_size = variables.number(names.local_size, world.local_rank + 1, world.size,
                                      world.size == 1 ? 1 : world.local_rank + 1);
}

void take_address(World& world, const Variables& variables) {
  const auto address = variables.text("MASTER_ADDR");
  if (!address)
    throw usage_error(
        "MASTER_ADDR is not in the environment: the host of rank 0, where the processes of a group meet; "
        "set it and MASTER_PORT");
  world.address = *address;
  world.port =
      static_cast<uint16_t>(variables.number("MASTER_PORT", 1, std::numeric_limits<uint16_t>::max()));
}

World of_torchrun(const Variables& variables) {
  World world;
  take_ranks(world, variables, {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"});
  take_address(world, variables);
  world.store_runs = variables.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  world.restarts = variables.number("TORCHELASTIC_RESTART_COUNT", 0, 1'000'000, 0);
  if (variables.has("NOWHERE_LISTENING"))
    world.listening = variables.number("NOWHERE_LISTENING", 3, std::numeric_limits<int>::max());
  return world;
}

// srun says where the job's nodes are and what number the job has, and that makes an address and a port.
World of_slurm(const Variables& variables) {
  World world;
  const char* tasks = variables.has("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  take_ranks(world, variables, {"SLURM_PROCID", tasks, "SLURM_LOCALID", "-"});
  if (const auto per_node = variables.text("SLURM_STEP_TASKS_PER_NODE"))
    world.local_size = tasks_of_node(*per_node, variables.number("SLURM_NODEID", 0, kMaxRanks, 0))
                           .value_or(world.local_size);
  world.restarts = variables.number("SLURM_RESTART_COUNT", 0, 1'000'000, 0);
  if (variables.has("MASTER_ADDR")) {
    take_address(world, variables);
    return world;
  }
  const auto nodes = variables.has("SLURM_STEP_NODELIST") ? variables.text("SLURM_STEP_NODELIST")
                                                          : variables.text("SLURM_JOB_NODELIST");
  if (!nodes)
    throw usage_error("SLURM_STEP_NODELIST is not in the environment; set MASTER_ADDR and MASTER_PORT");
  world.address = first_host(*nodes);
  constexpr int kFirstPort = 20'000, kPorts = 12'000;  // below those that the system gives to clients
  const int job = variables.number("SLURM_JOB_ID", 0, std::numeric_limits<int>::max(), 0);
  world.port = static_cast<uint16_t>(
      variables.number("MASTER_PORT", 1, std::numeric_limits<uint16_t>::max(), kFirstPort + job % kPorts));
  return world;
}

World of_open_mpi(const Variables& variables) {
  World world;
  take_ranks(world, variables,
             {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
              "OMPI_COMM_WORLD_LOCAL_SIZE"});
  take_address(world, variables);
  return world;
}

}  // namespace

std::optional<World> world_of(const Environment& environment) {
  const Variables variables(environment);
  if (variables.has("RANK") || variables.has("WORLD_SIZE")) return of_torchrun(variables);
  // In the script of a job that has many tasks, but outside of srun, a program runs once.
  if (variables.has("SLURM_STEP_ID") && variables.number("SLURM_NTASKS", 1, kMaxRanks, 1) > 1)
    return of_slurm(variables);
  if (variables.number("OMPI_COMM_WORLD_SIZE", 1, kMaxRanks, 1) > 1) return of_open_mpi(variables);
  return std::nullopt;
}

std::string first_host(const std::string& slurm_list) {
  const size_t bracket = slurm_list.find('['), comma = slurm_list.find(',');
  if (bracket == std::string::npos || comma < bracket) return slurm_list.substr(0, comma);
  const size_t number = bracket + 1, end = slurm_list.find_first_of(",-]", number);
  const size_t close = slurm_list.find(']', number);
  if (end == std::string::npos || close == std::string::npos) return slurm_list.substr(0, bracket);
  const size_t rest = std::min(slurm_list.find(',', close), slurm_list.size());  // "rack[1-2]-node" has more
  return slurm_list.substr(0, bracket) + slurm_list.substr(number, end - number) +
         slurm_list.substr(close + 1, rest - close - 1);
}

std::optional<int> tasks_of_node(const std::string& slurm_tasks, int node) {
  for (const std::string& part : split_list(slurm_tasks)) {
    const size_t times = part.find("(x");
    const auto tasks = parse_integer(part.substr(0, times));
    const auto nodes = times == std::string::npos
                           ? std::optional<int64_t>(1)
                           : parse_integer(part.substr(times + 2, part.find(')') - times - 2));
    if (!tasks || !nodes || *tasks < 1 || *tasks > kMaxRanks) return std::nullopt;
    if (node < *nodes) return static_cast<int>(*tasks);
    node -= static_cast<int>(*nodes);
  }
  return std::nullopt;
}

}  // namespace nowhere
