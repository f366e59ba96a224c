// NVIDIA's management library, where it is installed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "observe/accelerator.h"

namespace nowhere {

// Loaded at run time, because the program also runs without an NVIDIA driver. The few functions it needs are
// declared in the source file, so that no CUDA header is needed to build. Used by one thread.
class Nvml {
 public:
  explicit Nvml(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // All devices that answer, in the order of the driver; none without the library.
  std::vector<Accelerator> sample() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace nowhere
