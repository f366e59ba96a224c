// The benchmark of loading batches.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "cli/loading.h"
#include "plan/throughput.h"

namespace nowhere {

struct LoaderBench {
  double images_per_second = 0;
  LoaderConfig config;
  LoaderCounts counts;

  boost::json::object to_json(const HourlyPrice& price) const;
  std::string text(const HourlyPrice& price) const;
  Throughput throughput() const;
};

// Batches of DATA for so many seconds, after a first one. Throws Stopped.
LoaderBench bench_loader(const std::string& data, const LoadingOptions& loading, double seconds);

// The same from photographs that are drawn for it and removed afterwards.
LoaderBench bench_loader_on_drawn(const LoadingOptions& loading, double seconds);

}  // namespace nowhere
