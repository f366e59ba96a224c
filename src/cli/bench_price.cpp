#include "cli/bench_price.h"

#include "core/error.h"
#include "plan/instance_table.h"

namespace nowhere {

void BenchPrice::declare(Options& options) {
  options.number("price", price, 0.0001, 1e6,
                 "dollars an hour of this machine: adds dollars for a million images");
  options.text("instance", instance, "TYPE", "this machine is one of this type, whose prices are known");
}

HourlyPrice BenchPrice::hourly() const {
  if (instance.empty()) return {.on_demand = price};
  if (price > 0) throw usage_error("--price and --instance exclude each other; give one of them");
  const InstanceTable table = InstanceTable::built_in();
  const InstanceType& type = table.instance(instance);
  return {.on_demand = type.dollars, .spot = table.spot_dollars(type)};
}

}  // namespace nowhere
