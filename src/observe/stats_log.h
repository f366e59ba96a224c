// stats.jsonl: a run's figures over time, one JSON object a line.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "observe/append_file.h"

namespace nowhere {

// Used by one thread. Only the constructor throws on trouble with the file; see AppendFile for a full disk.
class StatsLog {
 public:
  // Opens or makes the file. A run that goes on from a checkpoint at N images seen passes N: lines whose "images" is
  // greater go first, and the file reads as if the run had never stopped. Lines without "images" stay. A line that a
  // crash tore goes too. 0 for a run that begins.
  StatsLog(const std::filesystem::path& path, int64_t keep_up_to_images);

  // Numbers that JSON does not have (NaN, infinities) become null.
  void append(const boost::json::object& line);

  // Why lines were lost, the first time; empty while none were.
  const std::string& failure() const { return file_.failure(); }

 private:
  AppendFile file_;
};

// The lines that are whole; one that a crash tore is passed over. Throws when the file cannot be read.
std::vector<boost::json::object> read_stats(const std::filesystem::path& path);

}  // namespace nowhere
