// What the scores need of a set of pictures, gathered in one pass: thumbnails, features, and the first
// pictures whole.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "eval/frechet.h"

namespace nowhere {

constexpr int64_t kThumbnailSide = 16;

// Thumbnails whose values differ by no more than this, as a root mean square, are the same picture to the
// eye: one step of a byte.
constexpr double kSameThumbnail = 1.0 / 255;

// [n,S,S,3] uint8 -> [n,16*16*3] in [0,1]: each the mean of its square
torch::Tensor thumbnails(const torch::Tensor& bytes);

// Some pictures and what the network sees in them.
struct FeatureChunk {
  torch::Tensor bytes;     // [n,S,S,3] uint8
  torch::Tensor features;  // [n,d]; undefined without a network
};

class SampleStore {
 public:
  struct Limits {
    int64_t whole = 0;  // pictures kept whole
    int64_t rows = 0;   // thumbnails and rows of features kept
  };
  explicit SampleStore(Limits limits) : limits_(limits) {}

  void add(const FeatureChunk& pictures);

  torch::Tensor whole() const { return torch::cat(whole_); }            // [<= limit,S,S,3] uint8
  torch::Tensor thumbnails() const { return torch::cat(thumbnails_); }  // [<= limit,768]
  torch::Tensor features() const { return torch::cat(features_); }      // [<= limit,d]
  const FeatureMoments& moments() const { return moments_; }            // of all, however many

 private:
  Limits limits_;
  int64_t count_ = 0;
  std::vector<torch::Tensor> whole_, thumbnails_, features_;
  FeatureMoments moments_;
};

}  // namespace nowhere
