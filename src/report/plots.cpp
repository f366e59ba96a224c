#include "report/plots.h"

#include <fmt/core.h>

#include <cmath>

#include "report/number_text.h"

namespace nowhere {

Plot parzen_epochs_plot(const ParzenEpochs& epochs, const std::optional<ParzenScores::Baseline>& baseline) {
  Series samples{.name = "samples"};
  for (const ParzenEpoch& point : epochs.points) {
    samples.x.push_back(static_cast<double>(point.epoch));
    samples.y.push_back(point.test.mean);
    samples.errors.push_back(std::isfinite(point.test.error) ? point.test.error : 0);
  }
  Plot plot{.title = fmt::format("Parzen window estimate, sigma {}", number_text(epochs.sigma)),
            .x_label = "epoch",
            .y_label = "log-likelihood (nats)"};
  if (baseline && std::isfinite(baseline->test.mean) && samples.x.size() > 1)
    plot.series.push_back({.name = "real photographs",
                           .x = {samples.x.front(), samples.x.back()},
                           .y = {baseline->test.mean, baseline->test.mean}});
  plot.series.insert(plot.series.begin(), std::move(samples));
  return plot;
}

}  // namespace nowhere
