#include "eval/memorisation.h"

#include <algorithm>

#include "core/error.h"

namespace nowhere {
namespace {

constexpr double kPercentile = 0.01;

// ascending: [N]
double interpolated(const torch::Tensor& ascending, double share) {
  const double place = share * static_cast<double>(ascending.size(0) - 1);
  const int64_t below = static_cast<int64_t>(place), above = std::min(below + 1, ascending.size(0) - 1);
  const double low = ascending[below].item<double>(), high = ascending[above].item<double>();
  return low + (high - low) * (place - static_cast<double>(below));
}

double share_below(const torch::Tensor& distances, double threshold) {
  return (distances < threshold).to(torch::kFloat64).mean().item<double>();
}

torch::Tensor measured(const Neighbours& neighbours, Nearness nearness) {
  return nearness == Nearness::kRelative ? relative_distances(neighbours) : neighbours.distances;
}

}  // namespace

Memorisation judge_memorisation(const Neighbours& samples, const Neighbours& held_out, int64_t worst,
                                Nearness nearness) {
  if (samples.distances.numel() == 0 || held_out.distances.numel() == 0)
    throw data_error(
        "memorisation is judged by generated and by held-out pictures: give at least one of each");
  const torch::Tensor real = std::get<0>(measured(held_out, nearness).sort());
  const torch::Tensor generated = measured(samples, nearness);
  Memorisation result;
  result.smallest_held_out = real[0].item<double>();
  result.percentile_held_out = interpolated(real, kPercentile);
  result.share_below_smallest = share_below(generated, result.smallest_held_out);
  result.share_below_percentile = share_below(generated, result.percentile_held_out);
  const torch::Tensor order = generated.argsort(/*stable=*/true, 0, /*descending=*/false);
  for (int64_t i = 0; i < std::min(worst, order.size(0)); ++i) {
    const int64_t sample = order[i].item<int64_t>();
    result.worst.push_back(
        {sample, samples.indices[sample].item<int64_t>(), generated[sample].item<double>()});
  }
  return result;
}

}  // namespace nowhere
