// The birthday test (Arora and Zhang 2017): a generator that knows n pictures repeats one among
// about sqrt(n).
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>

#include "eval/blocks.h"

namespace nowhere {

struct ClosestPair {
  int64_t first = 0, second = 0;  // rows, first < second
  double distance = 0;            // Euclidean, exact
};

// points: [N,D], at least two. Pairs that are `beyond` or less apart do not count; with 0, those of equal
// points. The distance is infinite where no pair counts.
ClosestPair closest_pair(const torch::Tensor& points, int64_t scratch_bytes = kScratchBytes,
                         std::optional<double> beyond = {});

struct BirthdayOptions {
  int64_t batches = 20;
  int64_t batch_size = 100;
  double same = 0;  // pictures no further apart than this are one picture twice, generated or real
  uint64_t seed = 0;
  int64_t scratch_bytes = kScratchBytes;
};

struct BirthdayTest {
  // The distance of the closest pair of different pictures in as many batches of real ones: a photograph that
  // is there twice says nothing about how near two others come.
  double threshold = 0;
  int64_t batches = 0;
  int64_t batch_size = 0;
  int64_t with_duplicates = 0;  // batches of generated pictures with a pair closer than that, or the same
  ClosestPair closest;          // of all those batches, rows of `generated`
  // How many pictures the generator seems to know, where at least half of the batches hold duplicates;
  // otherwise it knows more than this test can see, which is about batch_size^2.
  std::optional<double> support;
};

// generated: [M,D], real: [N,D], at least batch_size of each. Batches have no picture in common where there
// are enough pictures; otherwise each is drawn from all.
BirthdayTest birthday_test(const torch::Tensor& generated, const torch::Tensor& real,
                           const BirthdayOptions& options = {});

// From n equally likely pictures, s draws are all different with probability exp(-s (s - 1) / (2 n)). Solved
// for n; where every batch holds duplicates, as if half a batch did not: then n is at most about that.
std::optional<double> support_size(int64_t with_duplicates, int64_t batches, int64_t batch_size);

}  // namespace nowhere
