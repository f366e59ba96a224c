// The options of `nowhere serve`, declared once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/options.h"

namespace nowhere {

struct ServeConfig {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any free one
  std::vector<std::string> allow_origin;
  std::string token_file;
  std::string access_log;  // "-" for stderr; empty for none

  // Tuning.
  int max_batch = 96;         // pictures: 48 for each of two cores
  double batch_delay_ms = 2;  // milliseconds
  int queue = 1024;           // pictures in progress
  int cache_mb = 256;
  int threads = 0;  // that encode pictures; 0 for one per core
  int max_connections = 256;
  int connections_per_address = 64;  // 0 for any number
  double request_deadline = 30;      // seconds from a request to its response
  double idle_deadline = 30;         // seconds that a connection may be idle
  double drain_deadline = 10;        // seconds that unfinished requests get at shutdown

  // Not options: secrets do not belong on a command line, and the run is the command's argument.
  std::string token;                    // that clients have to send; empty for none
  std::filesystem::path run_directory;  // whose curves are shown; empty for none

  void declare(Options& options);
  // Throws a usage error for values that the ranges of the options cannot exclude. After read_token().
  void check() const;
  // Sets `token` from --token-file or else from the environment's NOWHERE_TOKEN. Throws a usage error for a
  // file that cannot be read and for a token that cannot be sent or is easily guessed.
  void read_token();
};

}  // namespace nowhere
