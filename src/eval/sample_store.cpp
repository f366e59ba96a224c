#include "eval/sample_store.h"

#include <algorithm>

namespace nowhere {

torch::Tensor thumbnails(const torch::Tensor& bytes) {
  const torch::Tensor pictures = bytes.permute({0, 3, 1, 2}).to(torch::kFloat).div(255);  // [n,3,S,S]
  return torch::adaptive_avg_pool2d(pictures, {kThumbnailSide, kThumbnailSide}).reshape({bytes.size(0), -1});
}

void SampleStore::add(const FeatureChunk& pictures) {
  const torch::Tensor& bytes = pictures.bytes;
  const auto room = [&](int64_t limit) { return std::clamp<int64_t>(limit - count_, 0, bytes.size(0)); };
  if (const int64_t wanted = room(limits_.whole); wanted > 0)
    whole_.push_back(bytes.narrow(0, 0, wanted).clone());
  const int64_t rows = room(limits_.rows);
  if (rows > 0) thumbnails_.push_back(nowhere::thumbnails(bytes.narrow(0, 0, rows)));
  if (pictures.features.defined()) {
    moments_.add(pictures.features);
    if (rows > 0) features_.push_back(pictures.features.narrow(0, 0, rows).clone());
  }
  count_ += bytes.size(0);
}

}  // namespace nowhere
