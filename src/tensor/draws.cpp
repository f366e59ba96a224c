#include "tensor/draws.h"

#include <ATen/CPUGeneratorImpl.h>

namespace nowhere {

at::Generator keyed_generator(const torch::Device& device, uint64_t seed, Purpose purpose,
                              std::initializer_list<uint64_t> names) {
  const uint64_t key = Random(seed, purpose, names).bits();
  if (device.is_cpu()) return at::detail::createCPUGenerator(key);
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(key);
  return generator;
}

}  // namespace nowhere
