#include "eval/parzen_bench.h"

#include "core/stopwatch.h"
#include "device/device.h"
#include "eval/parzen.h"
#include "image/image.h"

namespace nowhere {

ParzenBench bench_parzen(int64_t centres, int64_t points, int size, int threads) {
  constexpr int64_t kChunk = 256;
  set_compute_threads(threads);
  torch::manual_seed(1);
  const int64_t pixels = int64_t{size} * size * kChannels;
  const torch::Tensor scored = torch::rand({points, pixels});
  Stopwatch watch;
  double seconds = 0;
  ParzenWindow window(scored, logspace(0.1, 1, 10));
  for (int64_t done = 0; done < centres; done += kChunk) {
    const torch::Tensor some = torch::rand({std::min(kChunk, centres - done), pixels});
    watch.lap();  // drawing them is not what is measured
    window.add(some);
    seconds += watch.lap();
  }
  watch.lap();
  const double mean = window.result().mean(1).max().item<double>();
  return {seconds + watch.lap(), mean};
}

}  // namespace nowhere
