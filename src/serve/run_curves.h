// A run's statistics over time and its machine's, for the gallery's curves.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "serve/machine_view.h"

namespace nowhere {

// Any thread, one at a time. Reads files, so not for the server's own threads. stats.jsonl may be large and
// keeps growing: only new lines are read, and only a bounded number of points is kept.
class RunCurves {
 public:
  // Empty for a lone checkpoint.
  explicit RunCurves(std::filesystem::path run) : run_(std::move(run)) {}

  // {"training":bool,"points":[{"images":..,"D_loss":..,...}],"machine":{..}}: at most 400 points, always
  // with the newest. "machine" is what MachineView shows; without figures of the machine it is left out.
  // "training": a process holds the run's lock, or stats.jsonl grew within the last minute.
  std::string json();

 private:
  using Point = std::vector<double>;  // in the order of the names in run_curves.cpp; NaN where there is none

  void read_new(int file, int64_t size);
  void add_lines(std::string_view text);
  void add(Point point);
  void forget();
  std::string points_json() const;

  const std::filesystem::path run_;
  std::mutex mutex_;  // guards everything below
  dev_t device_ = 0;
  ino_t inode_ = 0;
  int64_t read_ = 0;   // bytes of stats.jsonl
  std::string begun_;  // a line whose end has not been read yet
  size_t seen_ = 0;    // points in the file so far
  size_t stride_ = 1;  // one in so many is in points_
  std::vector<Point> points_;
  Point newest_;
  std::string json_ = "[]";  // of the points
  MachineView machine_;
  std::string machine_json_;  // empty for none
};

// Whether a process holds an exclusive flock() on the file. Does not take the lock itself: a run that starts
// at that moment would fail.
bool is_locked(const std::filesystem::path& file);

}  // namespace nowhere
