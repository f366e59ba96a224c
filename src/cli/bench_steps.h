// The benchmark of the training step, and how the batch size pays.
#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "model/choices.h"
#include "plan/throughput.h"
#include "train/step_bench.h"

namespace nowhere {

struct StepAtBatch {
  int batch = 0;
  StepBench bench;
};

struct StepsBench {
  std::string preset;
  int threads = 0;
  std::vector<StepAtBatch> batches;  // in ascending order

  boost::json::object to_json(const HourlyPrice& price) const;
  std::string text(const HourlyPrice& price) const;  // a line for one batch size, a table for several
  Throughput throughput() const;                     // of the fastest
  void write_plot(const std::filesystem::path& file) const;
};

// How a step is computed.
struct StepChoices {
  Kernels kernels = Kernels::kAuto;
  Precision precision = Precision::kAuto;
};

// Each batch size for so many seconds, the smallest first: the memory of a process at its peak never falls.
// Throws a usage error for a preset that is not known, or a batch size that does not suit it.
StepsBench bench_steps(const std::string& preset, std::vector<int> batches, int threads, double seconds,
                       const StepChoices& choices = {});

}  // namespace nowhere
