#include "device/device.h"

#include <ATen/autocast_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <torch/version.h>

#include <algorithm>

#include "core/console.h"
#include "core/cpu.h"
#include "core/error.h"
#include "core/text.h"
#include "device/assignment.h"
#include "device/habana.h"
#include "device/matrix_units.h"

namespace nowhere {
namespace {

// The modules that this process may take, as HABANA_VISIBLE_MODULES lists them; empty for all.
std::string visible_modules() {
  const char* text = ::getenv("HABANA_VISIBLE_MODULES");
  return text != nullptr ? text : "";
}

int usable_habana() {
  if (const auto listed = split_list(visible_modules()); !listed.empty())
    return static_cast<int>(listed.size());
  // A driver may show its devices in a way that we do not know: the plugin has one.
  return std::max(1, count_habana());
}

// What is there of the kinds that `choice` allows. The plugin of Habana is loaded only where it may be used.
Accelerators find_accelerators(DeviceChoice choice) {
  Accelerators found;
  if (choice == DeviceChoice::kAuto || choice == DeviceChoice::kHpu) {
    const HabanaPlugin plugin = load_habana();
    if (plugin.state == HabanaPlugin::State::kLoaded) found.hpu = usable_habana();
    if (plugin.state == HabanaPlugin::State::kBroken) {
      if (choice == DeviceChoice::kHpu)
        throw usage_error(fmt::format(
            "--device hpu: the Habana plugin cannot be used: {}; install a SynapseAI that is made for "
            "LibTorch {}, or leave --device out",
            plugin.reason, TORCH_VERSION));
      print_message(
          fmt::format("nowhere: the Habana plugin cannot be used: {}; going on without it\n", plugin.reason));
    }
  }
  if (found.hpu == 0 && (choice == DeviceChoice::kAuto || choice == DeviceChoice::kCuda) &&
      torch::cuda::is_available())
    found.cuda = static_cast<int>(torch::cuda::device_count());
  return found;
}

// Without, a resumed run on a GPU would not be the run that was not stopped.
void compute_repeatably() {
  at::globalContext().setDeterministicCuDNN(true);
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
}

// Of a kind that was asked for by name.
Error absent(DeviceChoice choice) {
  if (choice == DeviceChoice::kHpu)
    return usage_error(
        "--device hpu: the Habana plugin (libhabana_pytorch_plugin.so) cannot be loaded; "
        "install SynapseAI and put the plugin's folder on LD_LIBRARY_PATH, or leave --device out");
  return usage_error(
      at::detail::getCUDAHooks().hasCUDART()
          ? "--device cuda: LibTorch finds no GPU; install the NVIDIA driver (nvidia-smi must list it), "
            "or leave --device out"
          : "--device cuda: this LibTorch is a CPU build; install the CUDA wheel (torch===2.13.0) "
            "or set LIBTORCH to a CUDA LibTorch and build again, or leave --device out");
}

}  // namespace

torch::Device open_device(DeviceChoice choice, int local_rank) {
  const Accelerators found = find_accelerators(choice);
  const bool named = choice == DeviceChoice::kHpu || choice == DeviceChoice::kCuda;
  if (named && device_count(choice, found) == 0) throw absent(choice);
  const torch::Device device = assign_device(choice, found, local_rank);
  // Read by the plugin when it takes the device, at the first tensor. Who has set it decides.
  if (device.is_hpu())
    ::setenv("HLS_MODULE_ID", habana_module(local_rank, visible_modules()).c_str(), /*overwrite=*/0);
  if (device.is_cuda()) {
    c10::impl::VirtualGuardImpl(device.type()).setDevice(device);
    compute_repeatably();
  }
  return device;
}

int visible_devices(DeviceChoice choice) {
  return device_count(choice, find_accelerators(choice));
}

void mark_step(const torch::Device& device) {
  if (device.is_hpu()) mark_habana_step();
}

Precision resolve_precision(Precision precision, const torch::Device& device) {
  if (device.is_cpu()) return cpu_precision(precision);
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
