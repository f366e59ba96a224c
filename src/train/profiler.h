// A Chrome trace of some steps, with the loader's threads on it, as TensorBoard's profiler plugin and
// Perfetto read it; and a table of the operators.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "train/config.h"

namespace nowhere {

// Waits, warms up, records, once in a run. Called by the training thread after every step: what it does until
// the next call, waiting for data included, is the span of one step on the trace.
class Profiler {
 public:
  // `trace` is what the loader's threads record into; it outlives the profiler.
  Profiler(const TrainConfig& config, const torch::Device& device, std::filesystem::path folder,
           Trace& trace);
  ~Profiler();

  struct Files {
    std::filesystem::path trace, operators;
  };
  // Where the profile is when this step completed it. Throws when it cannot be written.
  std::optional<Files> after_step();

  // Whether a profile was asked for that the run was too short for.
  bool missed() const { return config_.profile && !done_; }

 private:
  void start();
  Files stop();
  void leave();  // whatever is set while running

  const TrainConfig& config_;
  bool cuda_;
  std::filesystem::path folder_;
  Trace& trace_;
  int64_t steps_ = 0;
  std::optional<at::RecordFunction> step_;  // on the trace
  int log_level_ = 0;                       // LibTorch's, when not running
  bool running_ = false;
  bool done_ = false;
};

// On the trace: the training thread waits for data, as long as this exists. Costs nothing without a profile.
class DataWait {
 public:
  DataWait();

 private:
  at::RecordFunction span_;
};

// Adds the spans to a trace file of the profiler.
void merge_spans(const std::filesystem::path& file, const std::vector<TraceSpan>& spans);

}  // namespace nowhere
