// Stands in for libnvidia-ml.so.1 in the unit tests: three devices, of which the second does not answer and
// the third does not tell its utilization.
#include <cstdint>
#include <cstring>

extern "C" {

struct FakeUtilization {
  unsigned int gpu;
  unsigned int memory;
};

struct FakeMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

constexpr int kSuccess = 0;
constexpr int kGpuIsLost = 15;
constexpr int kNotSupported = 3;

int nvmlInit_v2() {
  return kSuccess;
}

int nvmlShutdown() {
  return kSuccess;
}

int nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = 3;
  return kSuccess;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<uintptr_t>(index + 1));
  return index == 1 ? kGpuIsLost : kSuccess;
}

int nvmlDeviceGetName(void*, char* name, unsigned int length) {
  std::strncpy(name, "Fake 3000", length);
  return kSuccess;
}

int nvmlDeviceGetUtilizationRates(void* device, FakeUtilization* utilization) {
  *utilization = {42, 7};
  return reinterpret_cast<uintptr_t>(device) == 3 ? kNotSupported : kSuccess;
}

int nvmlDeviceGetMemoryInfo(void*, FakeMemory* memory) {
  *memory = {8192ull << 20, 7168ull << 20, 1024ull << 20};
  return kSuccess;
}

}  // extern "C"
