#include "report/plots.h"

#include <fmt/core.h>

#include <cmath>

#include "report/number_text.h"
#include "report/scores_json.h"

namespace nowhere {

std::optional<Plot> log_likelihood_plot(const ParzenScores& parzen) {
  if (!parzen.epochs) return std::nullopt;
  Series samples{.name = "samples"};
  for (const ParzenEpoch& point : parzen.epochs->points) {
    samples.x.push_back(static_cast<double>(point.epoch));
    samples.y.push_back(point.test.mean);
    samples.errors.push_back(std::isfinite(point.test.error) ? point.test.error : 0);
  }
  Plot plot{.title = fmt::format("Parzen window estimate, sigma {}", number_text(parzen.epochs->sigma)),
            .x_label = "epoch",
            .y_label = "log-likelihood (nats, pixels in [0,1])"};
  if (parzen.baseline && std::isfinite(parzen.baseline->test.mean) && samples.x.size() > 1)
    plot.series.push_back({.name = "real photographs",
                           .x = {samples.x.front(), samples.x.back()},
                           .y = {parzen.baseline->test.mean, parzen.baseline->test.mean}});
  plot.series.insert(plot.series.begin(), std::move(samples));
  return plot;
}

std::optional<Plot> log_likelihood_plot(const boost::json::object& scores, const std::string& where) {
  const auto parzen = likelihoods_from_json(scores, where);
  return parzen ? log_likelihood_plot(*parzen) : std::nullopt;
}

}  // namespace nowhere
