#include "observe/nvml.h"

#include <dlfcn.h>

#include <array>
#include <optional>

namespace nowhere {
namespace {

// From NVML's stable interface: 0 is success; the structs are version 1, which every driver since 2011
// supports.
using Device = void*;
struct Utilization {
  unsigned int gpu;     // percent
  unsigned int memory;  // percent
};
struct Memory {
  unsigned long long total;  // bytes
  unsigned long long free;
  unsigned long long used;
};
constexpr unsigned int kNameSize = 96;

}  // namespace

struct Nvml::Library {
  void* handle = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned int*) = nullptr;
  int (*device)(unsigned int, Device*) = nullptr;
  int (*name)(Device, char*, unsigned int) = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*memory)(Device, Memory*) = nullptr;
  bool started = false;

  explicit Library(const std::string& path) : handle(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const bool complete = handle != nullptr && find("nvmlInit_v2", init) && find("nvmlShutdown", shutdown) &&
                          find("nvmlDeviceGetCount_v2", count) &&
                          find("nvmlDeviceGetHandleByIndex_v2", device) && find("nvmlDeviceGetName", name) &&
                          find("nvmlDeviceGetUtilizationRates", utilization) &&
                          find("nvmlDeviceGetMemoryInfo", memory);
    started = complete && init() == 0;
  }
  ~Library() {
    if (started) shutdown();
    if (handle != nullptr) ::dlclose(handle);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <class Function>
  bool find(const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(handle, symbol));
    return function != nullptr;
  }

  // Nothing when the device does not answer. Some report their memory but no utilization.
  std::optional<Accelerator> sample(unsigned int index) const {
    Device handle_of = nullptr;
    Memory bytes{};
    if (device(index, &handle_of) != 0 || memory(handle_of, &bytes) != 0) return {};
    Utilization percent{};
    if (utilization(handle_of, &percent) != 0) percent = {};
    std::array<char, kNameSize> text{};
    if (name(handle_of, text.data(), kNameSize) != 0) text = {"NVIDIA"};
    text.back() = '\0';
    return Accelerator{text.data(), percent.gpu / 100.0, bytes.used, bytes.total};
  }
};

Nvml::Nvml(const std::string& library) : library_(std::make_unique<Library>(library)) {}

Nvml::~Nvml() = default;

std::vector<Accelerator> Nvml::sample() const {
  std::vector<Accelerator> accelerators;
  unsigned int count = 0;
  if (!library_->started || library_->count(&count) != 0) return accelerators;
  for (unsigned int index = 0; index < count; ++index)
    if (auto accelerator = library_->sample(index)) accelerators.push_back(std::move(*accelerator));
  return accelerators;
}

}  // namespace nowhere
