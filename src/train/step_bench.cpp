#include "train/step_bench.h"

#include "core/signals.h"
#include "core/stopwatch.h"
#include "model/generator_input.h"
#include "observe/machine.h"
#include "train/ema.h"
#include "train/step.h"

namespace nowhere {

StepBench bench_step(const TrainConfig& config, double seconds) {
  constexpr uint64_t kWarmUp = 3;
  const torch::Device device = open_device(config.device);
  const Precision precision = resolve_precision(config.precision, device);
  set_compute_threads(config.threads);
  StepBench bench;
  MachineMonitor machine;
  bench.bytes_at_start = machine.sample().memory_bytes;
  Players players(config, device, precision);
  GanStep step(config, players, device, precision);
  const int64_t side = config.model.img_size, batch = config.batch_size;
  const torch::Tensor real =
      torch::rand({batch, side, side, config.model.nc}).mul(2).sub(1).permute({0, 3, 1, 2}).to(device);
  Stopwatch watch;
  int64_t images = 0;
  torch::Tensor last;
  // Whole rounds, so that steps with a penalty have their share.
  const auto round = static_cast<uint64_t>(config.r1_gamma > 0 ? config.r1_every : 1);
  const auto done = [&](uint64_t number) {
    return number > kWarmUp && (number - kWarmUp) % round == 0 && watch.seconds() >= seconds;
  };
  for (uint64_t number = 0; !done(number); ++number) {
    if (number == kWarmUp) watch.lap();
    const GeneratorInput input =
        draw_input(batch, config.model.nz, config.seed, Purpose::kLatent, {number}).to(device);
    last = step(real, input, number).g_loss;
    if (players.average)
      update_ema(
          players.generator.network, *players.average,
          ema_keep(batch, static_cast<int64_t>(number) * batch, config.ema_kimg * 1000, config.ema_share));
    if (number >= kWarmUp) images += batch;
    if (stop_requested()) throw Stopped();
  }
  last.item();  // on an accelerator, waits for what is queued
  bench.images_per_second = static_cast<double>(images) / watch.seconds();
  bench.peak_bytes = machine.sample().peak_memory_bytes;
  return bench;
}

}  // namespace nowhere
