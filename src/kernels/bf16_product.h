// The matrix product that the caller gives to kernels for bf16: LibTorch's in the program, a plain loop in
// tests.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/bf16.h"

namespace nowhere {

struct Bf16Shape {
  int64_t rows = 0, columns = 0;
  int64_t depth = 0;  // even
};

// A matrix and the distance of its rows, in numbers; of the right factor's rows of pairs, in pairs.
struct Bf16Matrix {
  const Bf16* first = nullptr;
  int64_t stride = 0;
};
struct Bf16Sums {
  float* first = nullptr;
  int64_t stride = 0;
};

struct Bf16Product {
  // sums [rows, columns] = left [rows, depth] * right [depth, columns], or += where `add`, in float32. The
  // right factor stands in pairs of rows: (k, column) at first[(k / 2 * stride + column) * 2 + k % 2]. The
  // same shape and strides must give the same bits. Called by several threads at a time.
  std::function<void(const Bf16Shape& shape, const Bf16Matrix& left, const Bf16Matrix& right,
                     const Bf16Sums& sums, bool add)>
      multiply;
  // Called by a thread after its last product of a job: gives matrix units back. May be empty.
  std::function<void()> release;
};

}  // namespace nowhere
