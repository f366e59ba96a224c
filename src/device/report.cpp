#include "device/report.h"

#include <ATen/Version.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <set>
#include <sstream>
#include <string_view>

#include "core/proc.h"
#include "device/habana.h"

namespace nowhere {
namespace {

// "Intel(R) MKL-DNN v3.12.0 (Git Hash ...)" inside LibTorch's own description -> "3.12.0"
std::string onednn_version() {
  if (!at::hasMKLDNN()) return "";
  const std::string config = at::show_config();
  const size_t name = config.find("MKL-DNN v");
  if (name == std::string::npos) return "of unknown version";
  const size_t begin = name + std::string_view("MKL-DNN v").size();
  return config.substr(begin, config.find_first_of(" \n", begin) - begin);
}

}  // namespace

std::string libtorch_version() {
  return TORCH_VERSION;
}

std::vector<std::string> cpu_features() {
  const std::string cpu_info = read_proc_file("/proc/cpuinfo");
  std::istringstream words(std::string(proc_text(cpu_info, "flags").value_or("")));
  std::set<std::string> have;
  for (std::string word; words >> word;) have.insert(word);
  std::vector<std::string> found;
  for (const char* feature : {"avx2", "fma", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_tile"})
    if (have.contains(feature)) found.emplace_back(feature);
  return found;
}

DeviceReport report_devices() {
  const std::string cpu_info = read_proc_file("/proc/cpuinfo");
  DeviceReport report;
  report.libtorch = TORCH_VERSION;
  report.onednn = onednn_version();
  report.cpu = proc_text(cpu_info, "model name").value_or("");
  report.cpu_capability = at::get_cpu_capability();
  report.cpu_features = cpu_features();
  report.built_with_cuda = at::detail::getCUDAHooks().hasCUDART();
  report.cuda_devices = torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
  const HabanaPlugin plugin = load_habana();
  report.habana = plugin.state == HabanaPlugin::State::kLoaded;
  report.habana_fault = plugin.reason;
  report.habana_devices = count_habana();
  return report;
}

}  // namespace nowhere
