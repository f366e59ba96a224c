// What is known of a run at a log point, as plain numbers: the console line, stats.jsonl, events and metrics
// are all made from it.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>

#include "observe/machine.h"
#include "observe/time_split.h"

namespace nowhere {

// Where a run is.
struct Position {
  uint64_t epoch = 0, epochs = 0;   // counted from 1: the one under way, and the last; 0: not known yet
  uint64_t batch = 0, batches = 0;  // of the epoch, counted from 1

  std::string last_epoch() const;  // "16", or "?"
};

struct LogPoint : Position {
  uint64_t step = 0;   // of the run
  int64_t images = 0;  // seen so far
  double d_loss = 0, g_loss = 0, d_x = 0, d_g_z1 = 0, d_g_z2 = 0;
  double d_gradient = 0, g_gradient = 0;  // norms
  double lr = 0;
  double diversity = 1;  // see health.h
  double images_per_second = 0;
  TimeSplit time;          // since the last log point
  std::string bottleneck;  // what limited the run in this time, without the remedy
  uint64_t replaced = 0;   // photographs that could not be read, so far
  MachineFigures machine;

  // Gradients are not asked: a loss scaler may have made them infinite, and skips the step by itself.
  bool finite() const;
  // "12:34:56 [3/16][50/620] Loss_D: 1.2345 Loss_G: 2.3456 D(x): 0.7012 D(G(z)): 0.3010 / 0.2002"
  std::string console_line() const;
  boost::json::object to_json() const;
};

}  // namespace nowhere
