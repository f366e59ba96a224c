#include "device/habana.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <stdlib.h>

namespace nowhere {

bool load_habana() {
  // Eager mode: operators run when they are called, so the step needs no marks for a lazy graph. Who sets it
  // decides.
  ::setenv("PT_HPU_LAZY_MODE", "0", /*overwrite=*/0);
  // Stays loaded to the end: what it registers cannot be taken back.
  if (::dlopen("libhabana_pytorch_plugin.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) return false;
  return c10::impl::hasDeviceGuardImpl(c10::DeviceType::HPU);
}

}  // namespace nowhere
