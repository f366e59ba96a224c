// The benchmark of our convolutions, layer by layer.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "device/choices.h"
#include "model/kernel_bench.h"

namespace nowhere {

struct KernelFigures {
  KernelBench bench;

  boost::json::object to_json() const;
  std::string text() const;
};

// Every convolution of a preset beside LibTorch's. 0 threads: one for each core.
KernelFigures bench_layers(const std::string& preset, int batch, int threads, Precision precision);

}  // namespace nowhere
