#include "model/bf16_matrices.h"

#include <ATen/cpu/Utils.h>
#include <ATen/native/CPUBlas.h>

#include <array>

namespace nowhere {
namespace {

namespace cpublas = at::native::cpublas;

const at::BFloat16* numbers(const Bf16* first) {
  static_assert(sizeof(at::BFloat16) == sizeof(Bf16));
  return reinterpret_cast<const at::BFloat16*>(first);
}

void multiply(const Bf16Shape& shape, const Bf16Matrix& left, const Bf16Matrix& right, const Bf16Sums& sums,
              bool add) {
  cpublas::brgemm(shape.rows, shape.columns, shape.depth, left.stride, right.stride, sums.stride, add,
                  numbers(left.first), numbers(right.first), sums.first);
}

// ONEDNN_MAX_CPU_ISA may forbid what the CPU has; LibTorch's product then throws.
bool product_is_allowed() {
  const std::array<Bf16, 2> ones = {0x3f80, 0x3f80};
  float sum = 0;
  try {
    multiply({1, 1, 2}, {ones.data(), 2}, {ones.data(), 1}, {&sum, 1}, false);
    cpublas::brgemm_release();
  } catch (const c10::Error&) {
    return false;
  }
  return sum == 2;
}

}  // namespace

bool has_bf16_products() {
  static const bool found = [] {
    const auto capabilities = at::cpu::get_cpu_capabilities();
    const auto pairs = capabilities.find("avx512_bf16");  // whoever has AMX has it too
    return pairs != capabilities.end() && pairs->second.toBool() && product_is_allowed();
  }();
  return found;
}

bool has_matrix_units() {
  return cpublas::could_pack(at::kBFloat16) && has_bf16_products();
}

Bf16Product torch_bf16_product() {
  return {multiply, [] { cpublas::brgemm_release(); }};
}

}  // namespace nowhere
