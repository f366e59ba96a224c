// "--price" and "--instance" of bench: what an hour of this machine costs.
#pragma once

#include <string>

#include "core/options.h"
#include "plan/throughput.h"

namespace nowhere {

struct BenchPrice {
  double price = 0;      // dollars an hour
  std::string instance;  // a type whose price is known

  void declare(Options& options);
  // Throws a usage error for both at once and for a type that is not known.
  HourlyPrice hourly() const;
};

}  // namespace nowhere
