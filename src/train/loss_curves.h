// The losses at the log points of a run, for the checkpoint's `losses`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowhere {

// Bounded: when there are too many points, every second one goes, and from then on only every second one is
// taken. The points that are kept are equally far apart, so the curves keep their shape.
class LossCurves {
 public:
  static constexpr size_t kMaxPoints = 100'000;

  LossCurves() = default;
  // Of a checkpoint; `seen` and `every` are 0 where it does not say.
  LossCurves(std::vector<double> g, std::vector<double> d, uint64_t seen, uint64_t every);

  void add(double g, double d);

  const std::vector<double>& g() const { return g_; }
  const std::vector<double>& d() const { return d_; }
  uint64_t seen() const { return seen_; }    // log points of the run
  uint64_t every() const { return every_; }  // one of so many is kept: a power of two

  bool operator==(const LossCurves&) const = default;

 private:
  void thin();

  std::vector<double> g_, d_;
  uint64_t seen_ = 0, every_ = 1;
};

}  // namespace nowhere
