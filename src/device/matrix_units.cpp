#include "device/matrix_units.h"

#include <fmt/core.h>
#include <sched.h>
#include <stdlib.h>
#include <torch/torch.h>

#include <algorithm>

#include "core/cpu.h"
#include "core/error.h"
#include "core/process.h"
#include "core/text.h"
#include "device/report.h"

namespace nowhere {
namespace {

bool announced() {
  const auto features = cpu_features();
  return std::find(features.begin(), features.end(), "amx_bf16") != features.end();
}

// What training does, large enough that oneDNN spreads it over the threads: it is the others that fail, not
// the first.
void train_in_bf16(int threads) {
  constexpr int kSteps = 3;
  torch::set_num_threads(threads);
  const auto options = torch::TensorOptions(torch::kBFloat16);
  const torch::Tensor pictures = torch::ones({32, 32, 16, 16}, options).to(at::MemoryFormat::ChannelsLast);
  const torch::Tensor shrink = torch::ones({64, 32, 4, 4}, options).requires_grad_();
  const torch::Tensor grow = torch::ones({64, 32, 4, 4}, options).requires_grad_();
  for (int step = 0; step < kSteps; ++step) {
    const torch::Tensor small = torch::conv2d(pictures, shrink, {}, 2, 1);
    torch::conv_transpose2d(small, grow, {}, 2, 1).sum().backward();
  }
}

bool survives_on_all_threads() {
  return survives_in_child([] { train_in_bf16(available_cores()); });
}

}  // namespace

bool matrix_units_work() {
  if (!announced()) return false;
  if (survives_on_all_threads()) return true;
  ::setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", /*overwrite=*/0);
  return false;
}

Precision cpu_precision(Precision precision) {
  if (precision == Precision::kFp16)
    throw usage_error("--precision fp16 needs a CUDA device; a CPU takes bf16 or float32");
  if (precision == Precision::kFloat32) return precision;
  const bool fast = matrix_units_work();  // where they are there and crash, keeps oneDNN away from them
  return precision == Precision::kAuto ? (fast ? Precision::kBf16 : Precision::kFloat32) : precision;
}

MatrixUnits probe_matrix_units() {
  MatrixUnits units{.announced = announced()};
  if (!units.announced) return units;
  units.work = survives_on_all_threads();
  if (!units.work) units.broken_cores = failing_cores([] { train_in_bf16(1); });
  return units;
}

std::string text_of(const MatrixUnits& units) {
  if (!units.announced) return "none (no AMX): products are float32";
  if (units.work) return fmt::format("AMX works on {}: bf16", counted(available_cores(), "core"));
  std::vector<std::string> cores;
  for (const int core : units.broken_cores) cores.push_back(std::to_string(core));
  return fmt::format("AMX is announced, but a probe died on {}: it is not used",
                     cores.empty() ? "several threads together" : "core " + join(cores, ", "));
}

std::vector<int> failing_cores(const std::function<void()>& work) {
  cpu_set_t granted;
  CPU_ZERO(&granted);
  std::vector<int> failing;
  if (::sched_getaffinity(0, sizeof(granted), &granted) != 0) return failing;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &granted)) continue;
    const bool survived = survives_in_child([&] {
      cpu_set_t own;
      CPU_ZERO(&own);
      CPU_SET(core, &own);
      if (::sched_setaffinity(0, sizeof(own), &own) == 0) work();
    });
    if (!survived) failing.push_back(core);
  }
  return failing;
}

}  // namespace nowhere
