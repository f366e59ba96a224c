// A Chrome trace of some steps, with the loader's threads on it.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/trace.h"
#include "train/config.h"

namespace nowhere {

// Waits, warms up, records, once in a run. Called by the training thread after every step.
class Profiler {
 public:
  // `trace` is what the loader's threads record into; it outlives the profiler.
  Profiler(const TrainConfig& config, const torch::Device& device, std::filesystem::path folder,
           Trace& trace);
  ~Profiler();

  // The path of the trace when this step completed it; empty otherwise. Throws when it cannot be written.
  std::filesystem::path after_step();

  // Whether a profile was asked for that the run was too short for.
  bool missed() const { return config_.profile && !done_; }

 private:
  void start();
  std::filesystem::path stop();

  const TrainConfig& config_;
  bool cuda_;
  std::filesystem::path folder_;
  Trace& trace_;
  int64_t steps_ = 0;
  bool running_ = false;
  bool done_ = false;
};

// Adds the spans to a trace file of the profiler.
void merge_spans(const std::filesystem::path& file, const std::vector<TraceSpan>& spans);

}  // namespace nowhere
