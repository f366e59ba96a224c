// Everything a run tells: console, log.txt, stats.jsonl, TensorBoard, Prometheus. The training thread calls
// it; what goes to disk is done by the background thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/background.h"
#include "core/status_line.h"
#include "image/image.h"
#include "observe/events.h"
#include "observe/metrics.h"
#include "observe/stats_log.h"
#include "run/run_directory.h"
#include "train/config.h"
#include "train/log_point.h"

namespace nowhere {

class Recorder {
 public:
  // A run that goes on passes the images it had seen: what was recorded beyond them is forgotten. The
  // background outlives the recorder's last call, the metrics outlive the recorder.
  Recorder(const RunDirectory& run, const TrainConfig& config, int64_t resumed_images, Background& background,
           Metrics& metrics);
  ~Recorder();

  void say(const std::string& line);   // stdout and log.txt
  void warn(const std::string& line);  // stderr and log.txt
  // Where training is now, with the figures of the latest log point.
  void status(const Position& now, const LogPoint& latest, double seconds_left);

  void point(const LogPoint& point);
  // `seen` in the run, `images` of them in this epoch (since the resume, when it lies within), `unreadable`
  // photographs replaced by others.
  void epoch(uint64_t epoch, int64_t seen, int64_t images, size_t unreadable, const TimeSplit& time);
  void pictures(const std::string& tag, int64_t images, const Image& image);
  void histogram(const std::string& tag, int64_t images, std::vector<float> values);
  void saved(uint64_t epoch, double seconds);  // a checkpoint is on the disk

 private:
  void note(const std::string& line);  // log.txt
  void tell_losses();
  void events_of(const LogPoint& point);
  void metrics_of(const LogPoint& point);

  Background& background_;
  StatusLine status_;
  AppendFile log_;  // the background thread's, as the next two
  StatsLog stats_;
  std::optional<EventWriter> events_;
  bool told_losses_ = false;
  Metrics& metrics_;
};

}  // namespace nowhere
