#include "dist/backends.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "core/error.h"

namespace nowhere {
namespace {

using BackendPointer = c10::intrusive_ptr<c10d::Backend>;
using BackendType = c10d::ProcessGroup::BackendType;

BackendPointer make_gloo(const BackendPlace& place) {
  auto options = c10d::ProcessGroupGloo::Options::create(place.timeout);
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(place.address));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(place.store, place.rank, place.size, options);
}

BackendPointer make_nccl(const BackendPlace& place) {
#ifdef USE_C10D_NCCL
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = place.timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(place.store, place.rank, place.size, options);
#else
  (void)place;
  throw usage_error(
      "several GPUs need NCCL, and this program was built without it; build the preset cuda "
      "(docs/devices.md), or give --nproc 1");
#endif
}

// Habana's plugin offers HCCL to Python only. A shim of a few lines that is compiled against it can give it
// to us: a library, named by NOWHERE_HCCL, with this function.
using HcclFactory = c10d::Backend* (*)(c10d::Store* store, int rank, int size, int64_t timeout_milliseconds);

BackendPointer make_hccl(const BackendPlace& place) {
  const char* library = std::getenv("NOWHERE_HCCL");
  void* loaded = library != nullptr ? ::dlopen(library, RTLD_NOW | RTLD_GLOBAL) : nullptr;
  void* symbol = loaded != nullptr ? ::dlsym(loaded, "nowhere_make_hccl") : nullptr;
  if (symbol == nullptr) {
    const char* reason = ::dlerror();
    throw usage_error(
        fmt::format("several HPUs need HCCL through a library that NOWHERE_HCCL names (docs/devices.md){}{}; "
                    "give --nproc 1 to train on one",
                    reason != nullptr ? ": " : "", reason != nullptr ? reason : ""));
  }
  return BackendPointer::reclaim(reinterpret_cast<HcclFactory>(symbol)(place.store.get(), place.rank,
                                                                       place.size, place.timeout.count()));
}

}  // namespace

c10::intrusive_ptr<c10d::ProcessGroup> make_process_group(const torch::Device& device,
                                                          const BackendPlace& place) {
  auto group = c10::make_intrusive<c10d::ProcessGroup>(place.store, place.rank, place.size);
  const auto add = [&](c10::DeviceType type, BackendType kind, const BackendPointer& backend) {
    group->setBackend(type, kind, backend);
    group->setDefaultBackend(kind);
  };
  if (device.is_cuda())
    add(c10::DeviceType::CUDA, BackendType::NCCL, make_nccl(place));
  else if (device.is_hpu())
    add(c10::DeviceType::HPU, BackendType::CUSTOM, make_hccl(place));
  else
    add(c10::DeviceType::CPU, BackendType::GLOO, make_gloo(place));
  return group;
}

}  // namespace nowhere
