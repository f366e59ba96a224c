// Which pictures a score looks at where it does not look at all of them.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace nowhere {

// What rows are drawn for; two of them never share numbers. The values stay apart from other scores' keys.
enum class Draw : uint64_t {
  kKernelReal = 101,
  kKernelGenerated = 102,
  kBirthdayReal = 103,
  kBirthdayGenerated = 104
};

// `size` different rows of `count`, in random order: [size] int64. A pure function of its arguments.
torch::Tensor draw_rows(int64_t count, int64_t size, uint64_t seed, Draw what_for, uint64_t number = 0);

}  // namespace nowhere
