#include "train/loss_curves.h"

#include <algorithm>

namespace nowhere {
namespace {

void keep_every_second(std::vector<double>& numbers) {
  for (size_t i = 0; 2 * i < numbers.size(); ++i) numbers[i] = numbers[2 * i];
  numbers.resize((numbers.size() + 1) / 2);
}

}  // namespace

LossCurves::LossCurves(std::vector<double> g, std::vector<double> d, uint64_t seen, uint64_t every)
    : g_(std::move(g)), d_(std::move(d)), seen_(seen), every_(std::max<uint64_t>(every, 1)) {
  // Files of the reference and of earlier versions hold all points.
  if ((seen_ + every_ - 1) / every_ != g_.size()) {
    every_ = 1;
    seen_ = g_.size();
  }
  while (std::max(g_.size(), d_.size()) > kMaxPoints) thin();
}

void LossCurves::add(double g, double d) {
  if (seen_++ % every_ != 0) return;
  g_.push_back(g);
  d_.push_back(d);
  if (g_.size() > kMaxPoints) thin();
}

void LossCurves::thin() {
  keep_every_second(g_);
  keep_every_second(d_);
  every_ *= 2;
}

}  // namespace nowhere
