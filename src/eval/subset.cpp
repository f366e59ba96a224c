#include "eval/subset.h"

#include <numeric>
#include <utility>
#include <vector>

#include "core/random.h"

namespace nowhere {

torch::Tensor draw_rows(int64_t count, int64_t size, uint64_t seed, Draw what_for, uint64_t number) {
  Random random(seed, Purpose::kScore, {static_cast<uint64_t>(what_for), number});
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  // Fisher and Yates, no further than asked for.
  for (size_t i = 0; i < static_cast<size_t>(size); ++i)
    std::swap(rows[i], rows[i + random.below(rows.size() - i)]);
  return torch::tensor(rows).narrow(0, 0, size).clone();
}

}  // namespace nowhere
