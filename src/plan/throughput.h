// What this machine does in an hour, and for how much.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

namespace nowhere {

// Dollars an hour; 0: not known.
struct HourlyPrice {
  double on_demand = 0, spot = 0;
};

struct Throughput {
  std::string what;  // "step"
  double images_per_second = 0;
  std::string conditions;  // "naive-64, batches of 64"
};

// "; $1.20 a million images", with a spot price "; $1.20 a million images, $0.36 on spot"; empty without
// prices.
std::string cost_text(double images_per_second, const HourlyPrice& price);

// Images a second and an hour, dollars for a million where there is a price.
boost::json::object throughput_json(double images_per_second, const HourlyPrice& price);
std::string throughput_table(const std::vector<Throughput>& figures, const HourlyPrice& price);

}  // namespace nowhere
