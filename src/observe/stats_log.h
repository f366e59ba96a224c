// stats.jsonl: the figures of a run over time, one JSON object on each line.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "observe/append_file.h"

namespace nowhere {

// Used by one thread. Only the constructor throws when the file cannot be written; for a full disk see
// AppendFile.
class StatsLog {
 public:
  // Opens or creates the file. A run that resumes from a checkpoint at N images seen passes N: lines whose
  // "images" is greater are removed, as if the run had never stopped. Lines without "images" stay. An
  // incomplete line that a crash left is removed too. 0 for a new run.
  StatsLog(const std::filesystem::path& path, int64_t keep_up_to_images);

  // Numbers that JSON cannot express (NaN, infinities) become null.
  void append(const boost::json::object& line);

  // Why the first lost lines were lost; empty when none were.
  const std::string& failure() const { return file_.failure(); }

 private:
  AppendFile file_;
};

// The complete lines; an incomplete one that a crash left is skipped. Throws when the file cannot be read.
std::vector<boost::json::object> read_stats(const std::filesystem::path& path);
// The same one by one: a long run has hundreds of megabytes of them.
void for_each_stat(const std::filesystem::path& path,
                   const std::function<void(const boost::json::object&)>& use);

}  // namespace nowhere
