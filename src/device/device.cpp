#include "device/device.h"

#include <ATen/autocast_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include "core/cpu.h"
#include "core/error.h"
#include "device/habana.h"
#include "device/matrix_units.h"

namespace nowhere {

torch::Device open_device(DeviceChoice choice) {
  if (choice == DeviceChoice::kAuto || choice == DeviceChoice::kHpu) {
    if (load_habana()) return torch::Device(torch::kHPU, 0);
    if (choice == DeviceChoice::kHpu)
      throw usage_error(
          "--device hpu: the Habana plugin (libhabana_pytorch_plugin.so) cannot be loaded; "
          "install SynapseAI and put the plugin's folder on LD_LIBRARY_PATH, or leave --device out");
  }
  if (choice == DeviceChoice::kAuto || choice == DeviceChoice::kCuda) {
    if (torch::cuda::is_available()) return torch::Device(torch::kCUDA, 0);
    if (choice == DeviceChoice::kCuda)
      throw usage_error(
          at::detail::getCUDAHooks().hasCUDART()
              ? "--device cuda: LibTorch finds no GPU; install the NVIDIA driver (nvidia-smi must list it), "
                "or leave --device out"
              : "--device cuda: this LibTorch is a CPU build; install the CUDA wheel (torch===2.13.0) "
                "or set LIBTORCH to a CUDA LibTorch and build again, or leave --device out");
  }
  return torch::Device(torch::kCPU);
}

Precision resolve_precision(Precision precision, const torch::Device& device) {
  if (device.is_cpu()) {
    if (precision == Precision::kFp16)
      throw usage_error("--precision fp16 needs a CUDA device; a CPU takes bf16 or float32");
    if (precision == Precision::kFloat32) return precision;
    const bool fast = matrix_units_work();  // where they are there and crash, keeps oneDNN away from them
    return precision == Precision::kAuto ? (fast ? Precision::kBf16 : Precision::kFloat32) : precision;
  }
  if (precision != Precision::kAuto) return precision;
  if (!device.is_cuda()) return Precision::kBf16;
  // Ampere and later; earlier GPUs have fp16 only.
  return at::detail::getCUDAHooks().supportsBFloat16ConvolutionWithCuDNNv8() ? Precision::kBf16
                                                                             : Precision::kFp16;
}

std::string name_of(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return "bf16";
    case Precision::kFp16:
      return "fp16";
    case Precision::kAuto:
      return "auto";
    case Precision::kFloat32:
      break;
  }
  return "float32";
}

std::string name_of(const torch::Device& device) {
  return device.is_cpu() ? "CPU" : device.str();
}

void set_compute_threads(int threads) {
  torch::set_num_threads(threads > 0 ? threads : available_cores());
}

Autocast::Autocast(const torch::Device& device, Precision precision)
    : type_(device.type()), active_(precision == Precision::kBf16 || precision == Precision::kFp16) {
  if (!active_) return;
  at::autocast::set_autocast_enabled(type_, true);
  at::autocast::set_autocast_dtype(type_, precision == Precision::kBf16 ? at::kBFloat16 : at::kHalf);
}

Autocast::~Autocast() {
  if (!active_) return;
  at::autocast::set_autocast_enabled(type_, false);
  at::autocast::clear_cache();
}

}  // namespace nowhere
