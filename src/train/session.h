// A run from its configuration to its figures. Free of LibTorch, for the command line.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/source.h"
#include "launch/world.h"
#include "run/run_reader.h"
#include "train/config.h"

namespace nowhere {

enum class Begin {
  kNew,        // an error where a run is already
  kOverwrite,  // what a run left there goes
  kResume      // from the newest whole checkpoint
};

struct Session {
  TrainConfig config;
  boost::json::object config_json;  // what is saved
  std::string base;                 // what the settings come from: "preset streets-64"
  boost::json::object changed;      // those that differ from it
  Begin begin = Begin::kNew;
  uint64_t s_epoch = 0;        // above 0: resume from this epoch's checkpoint
  bool minutes_given = false;  // --max-minutes was given for this session
  std::optional<World> world;  // of the processes that train together; nothing for one alone
  // Opens the run that --init names.
  std::function<RunReader(const std::string& where)> open_run = RunReader::open;
  // Told of each slim checkpoint that is on the disk, on the background thread: it must not take long.
  std::function<void(const std::filesystem::path& slim)> saved = {};
};

// Trains on the photographs of the source, as one process of several where there is a world. Returns the
// process's exit code: 0, or 130 and 143 after a stop signal.
int run_session(const Session& session, const Source& source, const std::vector<uint32_t>& photos);

// Prints what run_session would do: configuration, parameters, memory and time. Writes nothing.
void print_plan(const Session& session, const Source& source, const std::vector<uint32_t>& photos);

}  // namespace nowhere
