#include "cli/bench_kernels.h"

#include <fmt/core.h>

#include "core/cpu.h"
#include "device/matrix_units.h"
#include "train/config.h"

namespace nowhere {

KernelFigures bench_layers(const std::string& preset, int batch, int threads, Precision precision) {
  constexpr int kRounds = 7;
  const bool bf16 = cpu_precision(precision) == Precision::kBf16;
  return {bench_kernels(train_preset(preset).model, batch, threads > 0 ? threads : available_cores(), kRounds,
                        bf16)};
}

boost::json::object KernelFigures::to_json() const {
  boost::json::array rows;
  for (const KernelRow& row : bench.rows)
    rows.push_back({{"network", row.network},
                    {"layer", row.layer},
                    {"pass", row.pass},
                    {"kernel", row.kernel},
                    {"channels", row.channels},
                    {"kernels", row.kernels},
                    {"side", row.side},
                    {"gigaflops", row.gigaflops},
                    {"seconds", row.ours},
                    {"torch_seconds", row.theirs}});
  return {{"matrix_gigaflops", bench.matrix_gigaflops},
          {"precision", bench.bf16 ? "bf16" : "float32"},
          {"rows", rows},
          {"pictures", bench.pictures},
          {"pictures_seconds", bench.ours},
          {"pictures_torch_seconds", bench.theirs}};
}

std::string KernelFigures::text() const {
  std::string text = fmt::format(
      "{:.0f} GF/s is the speed of a matrix product in float32; as GF/s, ours count the direct "
      "sums. Factors are {}\n",
      bench.matrix_gigaflops, bench.bf16 ? "bf16" : "float32");
  for (const KernelRow& row : bench.rows)
    text += fmt::format(
        "{} {:<8} {:>4} to {:<4} at {:<3} {:<24} {:>6.1f} ms, LibTorch {:>6.1f} ms, {:.2f}x, "
        "{:>3.0f} GF/s ({})\n",
        row.network, row.layer, row.channels, row.kernels, row.side, row.pass, row.ours * 1e3,
        row.theirs * 1e3, row.theirs / row.ours, row.gigaflops / row.ours, row.kernel);
  if (bench.pictures > 0)
    text += fmt::format("{} pictures {:.1f} ms, LibTorch {:.1f} ms, {:.2f}x\n", bench.pictures,
                        bench.ours * 1e3, bench.theirs * 1e3, bench.theirs / bench.ours);
  return text;
}

}  // namespace nowhere
