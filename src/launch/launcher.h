// A run of several processes on this machine: starts them, passes signals on, and ends all when one fails.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace nowhere {

struct Launch {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  int processes = 1;
  // After a failure the others notice that one is missing, and say so; what has not ended by then is killed.
  std::chrono::milliseconds grace{20'000};
};

// Starts the processes with the variables of torchrun (RANK, WORLD_SIZE, ...), so that they form a group on
// this machine, and waits for the end of all. SIGINT, SIGTERM and SIGHUP are passed on to each of them once;
// when this process is killed they are asked to stop, too. Returns the exit code of the first that failed
// (128 and its signal, when one ended it), or 0. Throws when they cannot be started.
int launch(const Launch& launch);

}  // namespace nowhere
