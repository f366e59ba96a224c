#include "model/kernel_bench.h"

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "core/error.h"
#include "core/random.h"
#include "core/signals.h"
#include "core/stopwatch.h"
#include "model/architectures/architecture.h"
#include "model/architectures/discriminator_parts.h"
#include "model/bf16_matrices.h"
#include "model/fast_generator.h"
#include "model/halving_convolution.h"

namespace nowhere {
namespace {

using Work = std::function<void()>;

double median(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

double seconds_of(const Work& work) {
  const Stopwatch watch;
  work();
  return watch.seconds();
}

// In turns, after one to warm up; `rest` comes before each.
std::pair<double, double> compare(
    const Work& ours, const Work& theirs, int rounds, const Work& rest = [] {}) {
  std::vector<double> first, second;
  ours();
  theirs();
  for (int round = 0; round < rounds; ++round) {
    rest();
    first.push_back(seconds_of(ours));
    rest();
    second.push_back(seconds_of(theirs));
    if (stop_requested()) throw Stopped();
  }
  return {median(first), median(second)};
}

double matrix_speed(int rounds) {
  constexpr int64_t kSide = 2048;
  const torch::Tensor a = torch::randn({kSide, kSide}), b = torch::randn({kSide, kSide});
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) seconds.push_back(seconds_of([&] { torch::mm(a, b); }));
  return 2.0 * kSide * kSide * kSide / *std::ranges::min_element(seconds) / 1e9;
}

torch::Tensor some(std::initializer_list<int64_t> sizes) {
  return torch::randn(sizes).contiguous(torch::MemoryFormat::ChannelsLast);
}

torch::Tensor gradient_of(const torch::Tensor& gradient, const torch::Tensor& large,
                          const torch::Tensor& weight, bool to_weight) {
  const auto made = torch::convolution_backward(gradient, large, weight, std::nullopt, {2, 2}, {1, 1}, {1, 1},
                                                false, {0, 0}, 1, {!to_weight, to_weight, false});
  return to_weight ? std::get<1>(made) : std::get<0>(made);
}

// How each layer is measured.
struct LayerBench {
  int64_t batch = 0;
  int rounds = 0;
  bool bf16 = false;
};

// The three passes of a layer, whose names differ between a convolution and its transpose.
void add_rows(KernelRow row, const LayerBench& bench, bool transposed, std::vector<KernelRow>& rows) {
  const torch::Tensor large = some({bench.batch, row.channels, 2 * row.side, 2 * row.side}),
                      small = some({bench.batch, row.kernels, row.side, row.side}),
                      weight = some({row.kernels, row.channels, 4, 4});
  const at::ScalarType theirs_type = bench.bf16 ? torch::kBFloat16 : torch::kFloat;
  const torch::Tensor their_large = large.to(theirs_type), their_small = small.to(theirs_type),
                      their_weight = weight.to(theirs_type);
  const HalvingKernel kernel =
      bench.bf16 ? bf16_kernel_to_halve(large, weight) : float32_kernel_to_halve(large, weight);
  if (kernel == HalvingKernel::kNone) return;
  const Factors factors = kernel == HalvingKernel::kBf16 ? Factors::kBf16 : Factors::kFloat32;
  row.kernel = name_of(kernel);
  row.gigaflops = 2.0 * static_cast<double>(small.numel()) * 16 * static_cast<double>(row.channels) / 1e9;
  const auto add = [&](const char* pass, const Work& ours, const Work& theirs) {
    row.pass = pass;
    std::tie(row.ours, row.theirs) = compare(ours, theirs, bench.rounds);
    rows.push_back(row);
  };
  add(
      transposed ? "gradient to the maps" : "forward", [&] { halve_maps(large, weight, factors); },
      [&] { torch::conv2d(their_large, their_weight, {}, 2, 1); });
  add(
      transposed ? "forward" : "gradient to the maps", [&] { double_maps(small, weight, factors); },
      [&] {
        if (transposed)
          torch::conv_transpose2d(their_small, their_weight, {}, 2, 1);
        else
          gradient_of(their_small, their_large, their_weight, false);
      });
  add(
      "gradient to the weights", [&] { gradient_to_weights(large, small, factors); },
      [&] { gradient_of(their_small, their_large, their_weight, true); });
}

void add_network(const std::string& name, const NetworkDescription& network, const LayerBench& bench,
                 std::vector<KernelRow>& rows) {
  for (const Layer& layer : network.layers()) {
    const auto halves = [](const auto* shape) {
      return shape != nullptr && shape->kernel == 4 && shape->stride == 2 && shape->padding == 1;
    };
    const bool transposed = halves(layer.as<TransposedConvolution>());
    if (!transposed && !halves(layer.as<Convolution>())) continue;
    const MapShape &before = network.input_of(layer), &small = transposed ? before : layer.shape,
                   &large = transposed ? layer.shape : before;
    add_rows({.network = name,
              .layer = layer.name,
              .channels = large.channels,
              .kernels = small.channels,
              .side = small.height},
             bench, transposed, rows);
  }
}

void add_pictures(const ModelConfig& config, int threads, int rounds, KernelBench& bench) {
  constexpr int64_t kPictures = 16;  // of a sheet
  constexpr int kInARow = 8;         // as for a server that is asked for one after the other
  Generator generator(config, Kernels::kTorch);
  if (!FastGenerator::supports(generator->description())) return;
  initialise(*generator, 1);
  const Evaluating evaluating(*generator);
  const FastGenerator fast(generator, threads);
  const GeneratorInput input = draw_input(kPictures, config.nz, 1, Purpose::kLatent, {});
  // The fast path has threads of its own, and LibTorch's wait actively for a while after their last work.
  const Work rest = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  bench.pictures = kPictures;
  const auto in_a_row = [](const Work& work) {
    return [work] {
      for (int i = 0; i < kInARow; ++i) work();
    };
  };
  const auto [ours, theirs] =
      compare(in_a_row([&] { fast.make(input, [](int64_t, const torch::Tensor&) {}); }),
              in_a_row([&] { generator(input); }), rounds, rest);
  bench.ours = ours / kInARow;
  bench.theirs = theirs / kInARow;
}

}  // namespace

KernelBench bench_kernels(const ModelConfig& config, int64_t batch, int threads, int rounds, bool bf16) {
  const torch::NoGradGuard no_gradients;
  if (bf16 && !has_bf16_products())
    throw usage_error("--precision bf16: this CPU has no products of bf16; give --precision float32");
  at::set_num_threads(threads);
  KernelBench bench{.bf16 = bf16, .matrix_gigaflops = matrix_speed(rounds)};
  const LayerBench layers{batch, rounds, bf16};
  add_network("G", describe_generator(config), layers, bench.rows);
  for (const DiscriminatorPart& part : discriminator_parts(config, {}))
    add_network("D", part.network, layers, bench.rows);
  add_pictures(config, threads, rounds, bench);
  return bench;
}

}  // namespace nowhere
