// NVIDIA's management library, when the machine has one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "observe/accelerator.h"

namespace nowhere {

// Loaded at run time, because the same program runs where there is no NVIDIA driver; its few functions are declared in
// the source, so that no CUDA header is needed to build. Used by one thread.
class Nvml {
 public:
  explicit Nvml(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // All devices of the machine that answer, in the driver's order; none without the library.
  std::vector<Accelerator> sample() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace nowhere
