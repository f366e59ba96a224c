// How fast our convolutions are beside LibTorch's on this machine. Free of LibTorch, for the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config.h"

namespace nowhere {

// A pass of one layer.
struct KernelRow {
  std::string network, layer, pass;             // "D", "main.2", "gradient to the weights"
  std::string kernel;                           // "Winograd"
  int64_t channels = 0, kernels = 0, side = 0;  // of the small maps
  double gigaflops = 0;                         // multiplications and additions of the sums over the kernel
  double ours = 0, theirs = 0;                  // median seconds
};

struct KernelBench {
  bool bf16 = false;
  double matrix_gigaflops = 0;  // a second, of a large product of matrices in float32
  std::vector<KernelRow> rows;
  // Pictures from latent vectors: the fast path, and LibTorch's network in its default layout. Median
  // seconds; zeros where the architecture has no fast path.
  int64_t pictures = 0;
  double ours = 0, theirs = 0;
};

// Every convolution of both networks for which there is a kernel, and 16 pictures, in alternating rounds on
// so many threads. With `bf16`, products of bf16 beside LibTorch's convolutions of bf16; pictures are always
// float32. Throws a usage error where the CPU has no products of bf16.
KernelBench bench_kernels(const ModelConfig& config, int64_t batch, int threads, int rounds,
                          bool bf16 = false);

}  // namespace nowhere
