// What the fixed noise looked like after each epoch that was saved: a checkpoint's `img_list`, as the
// reference keeps it.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <deque>

#include "archive/value.h"
#include "model/config.h"

namespace nowhere {

inline constexpr int64_t kFixedVectors = 64;  // vectors, as many as the reference keeps

// The newest that fit into kMaxBytes, and the last one in any case.
class PictureHistory {
 public:
  static constexpr uint64_t kMaxBytes = 64'000'000;

  PictureHistory() = default;
  // Of a checkpoint's img_list. Passed over: the grids that earlier versions and early versions of the
  // reference kept, and pictures of another size.
  PictureHistory(const Value* list, const ModelConfig& model);

  // [N,nc,S,S] in [-1,1], on any device; kept as float32.
  void add(const torch::Tensor& pictures);
  Value value() const;  // a list of tensors, the newest last

  // Bytes after so many saves.
  static uint64_t bytes_after(uint64_t saves, const ModelConfig& model);

 private:
  std::deque<TensorData> entries_;
};

}  // namespace nowhere
