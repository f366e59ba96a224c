// The benchmarks of finding photographs and of putting them in order.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>

#include "cli/loading.h"

namespace nowhere {

// Opens DATA, lets all its photographs take part and draws an epoch.
struct ScanBench {
  int64_t photographs = 0;
  double open_seconds = 0, order_seconds = 0;
  uint64_t bytes_at_start = 0, peak_bytes = 0;

  boost::json::object to_json() const;
  std::string text() const;
};
ScanBench bench_scan(const std::string& data, const LoadingOptions& loading);

// Draws an epoch of so many photographs, which nobody has, on every one of `ranks` ranks, one after the other
// in this process, and looks whether each photograph is drawn once.
struct OrderBench {
  int64_t photographs = 0;
  int64_t per_rank = 0;
  int ranks = 1;
  double prepare_seconds = 0;   // one rank's, before the first epoch
  double order_seconds = 0;     // one rank's share of an epoch, the mean over the ranks
  uint64_t bytes_at_start = 0;  // of memory
  uint64_t peak_bytes = 0;      // of a rank that draws its epoch
  uint64_t index_bytes = 0;     // of the index of so many photographs, about
  int64_t left_out = 0;         // take part in no rank's epoch
  bool disjoint = false;

  boost::json::object to_json() const;
  std::string text() const;
};
OrderBench bench_order(int64_t photographs, int ranks, const LoadingOptions& loading);

}  // namespace nowhere
