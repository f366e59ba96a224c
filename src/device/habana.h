// Intel Gaudi (HPU), through the plugin that Habana ships.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace nowhere {

// Lazy: operators are gathered, and the end of a step has them compiled and run as one graph. Eager: each
// runs when it is called.
enum class HabanaMode { kLazy, kEager };

// What PT_HPU_LAZY_MODE says; lazy without it, as Habana's own programs and the reference.
HabanaMode habana_mode();

struct HabanaPlugin {
  enum class State { kAbsent, kBroken, kLoaded };
  State state = State::kAbsent;
  std::string reason;  // why it is broken
};

// Loads the plugin of that mode, which registers its device with LibTorch. It stays loaded to the end of the
// process: what it registers cannot be taken back. A second call finds the same.
HabanaPlugin load_habana(HabanaMode mode = habana_mode());
// The same for the first of these libraries that can be loaded.
HabanaPlugin load_habana_from(std::span<const std::string> libraries, HabanaMode mode);

// Ends a step in lazy mode; nothing in eager mode. The plugin is loaded.
void mark_habana_step();

// How many accelerators of Habana the driver shows this process, below `root`.
int count_habana(const std::filesystem::path& root = "/");

// Which of them a process takes, for HLS_MODULE_ID: the one in the list `visible` (HABANA_VISIBLE_MODULES,
// "0,1,4"; empty for all) whose place is its rank on this machine. Throws a usage error when there are too
// few.
std::string habana_module(int local_rank, const std::string& visible);

}  // namespace nowhere
