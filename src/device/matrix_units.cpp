#include "device/matrix_units.h"

#include <stdlib.h>
#include <torch/torch.h>

#include <algorithm>

#include "core/cpu.h"
#include "core/process.h"
#include "device/report.h"

namespace nowhere {
namespace {

// What training does, large enough that oneDNN spreads it over the threads: it is the others that fail, not
// the first.
void train_in_bf16() {
  constexpr int kSteps = 3;
  torch::set_num_threads(available_cores());
  const auto options = torch::TensorOptions(torch::kBFloat16);
  const torch::Tensor pictures = torch::ones({32, 32, 16, 16}, options).to(at::MemoryFormat::ChannelsLast);
  const torch::Tensor shrink = torch::ones({64, 32, 4, 4}, options).requires_grad_();
  const torch::Tensor grow = torch::ones({64, 32, 4, 4}, options).requires_grad_();
  for (int step = 0; step < kSteps; ++step) {
    const torch::Tensor small = torch::conv2d(pictures, shrink, {}, 2, 1);
    torch::conv_transpose2d(small, grow, {}, 2, 1).sum().backward();
  }
}

}  // namespace

bool matrix_units_work() {
  const auto features = cpu_features();
  if (std::find(features.begin(), features.end(), "amx_bf16") == features.end()) return false;
  if (survives_in_child(train_in_bf16)) return true;
  ::setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", /*overwrite=*/0);
  return false;
}

}  // namespace nowhere
