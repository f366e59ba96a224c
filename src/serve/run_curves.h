// A run's figures over time, for the gallery's curves.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace nowhere {

// Any thread may call it, one at a time gets through. Reads files: not for the server's own threads. stats.jsonl may be
// large and grows all the time: only what is new is read, and of what was read only so many points are kept.
class RunCurves {
 public:
  // Empty for a model that is only a file.
  explicit RunCurves(std::filesystem::path run) : run_(std::move(run)) {}

  // {"training":bool,"points":[{"images":..,"D_loss":..,...}]}: at most 400, the newest always among them. "training":
  // somebody holds the run's lock, or its figures grew within the last minute.
  std::string json();

 private:
  using Point = std::vector<double>;  // in the order of the names in run_curves.cpp; NaN where there is none

  void read_new(int file, int64_t size);
  void add_lines(std::string_view text);
  void add(Point point);
  void forget();
  std::string points_json() const;

  const std::filesystem::path run_;
  std::mutex mutex_;  // of all that follows
  dev_t device_ = 0;
  ino_t inode_ = 0;
  int64_t read_ = 0;   // bytes of stats.jsonl
  std::string begun_;  // a line whose end has not been read
  size_t seen_ = 0;    // points in the file so far
  size_t stride_ = 1;  // every so many of them are in points_
  std::vector<Point> points_;
  Point newest_;
  std::string json_ = "[]";  // of the points
};

// Whether a process holds an exclusive flock() on the file. Looks without touching the lock: to try it would make a run
// that starts at that moment fail.
bool is_locked(const std::filesystem::path& file);

}  // namespace nowhere
