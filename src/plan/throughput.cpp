#include "plan/throughput.h"

#include <fmt/core.h>

#include <cmath>

#include "core/text.h"
#include "plan/run_plan.h"

namespace nowhere {
namespace {

constexpr double kSeconds = 3600;  // an hour

// Two digits at least, of a tenth of a cent too.
std::string price_text(double dollars) {
  return dollars >= 0.1 ? fmt::format("${:.2f}", dollars) : fmt::format("${:.2g}", dollars);
}

}  // namespace

std::string cost_text(double images_per_second, const HourlyPrice& price) {
  if (price.on_demand <= 0) return "";
  const double hourly = images_per_second * kSeconds;
  std::string text =
      fmt::format("; {} a million images", price_text(dollars_per_million(hourly, price.on_demand)));
  if (price.spot > 0)
    text += fmt::format(", {} on spot", price_text(dollars_per_million(hourly, price.spot)));
  return text;
}

boost::json::object throughput_json(double images_per_second, const HourlyPrice& price) {
  const double hourly = images_per_second * kSeconds;
  boost::json::object json{{"images_per_second", images_per_second}, {"images_per_hour", hourly}};
  if (price.on_demand > 0) json["dollars_per_million"] = dollars_per_million(hourly, price.on_demand);
  if (price.spot > 0) json["spot_dollars_per_million"] = dollars_per_million(hourly, price.spot);
  return json;
}

std::string throughput_table(const std::vector<Throughput>& figures, const HourlyPrice& price) {
  std::vector<std::string> heading = {"", "images/s", "images/hour"};
  if (price.on_demand > 0) heading.emplace_back("$ a million");
  if (price.spot > 0) heading.emplace_back("spot $ a million");
  heading.emplace_back("");
  Table table(heading);
  for (const Throughput& figure : figures) {
    const double hourly = figure.images_per_second * kSeconds;
    std::vector<std::string> row = {figure.what, with_commas(std::llround(figure.images_per_second)),
                                    with_commas(std::llround(hourly))};
    if (price.on_demand > 0) row.push_back(price_text(dollars_per_million(hourly, price.on_demand)));
    if (price.spot > 0) row.push_back(price_text(dollars_per_million(hourly, price.spot)));
    row.push_back(figure.conditions);
    table.add(row);
  }
  return table.text();
}

}  // namespace nowhere
