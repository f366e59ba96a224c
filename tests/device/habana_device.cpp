// Stands in for the part of Habana's plugin that registers a device with LibTorch.
#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace {

C10_REGISTER_GUARD_IMPL(HPU, c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::HPU>)

}  // namespace
