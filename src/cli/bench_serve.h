// The benchmark of the server: the whole of it, asked over loopback by clients in this process.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "plan/throughput.h"
#include "serve/load_bench.h"

namespace nowhere {

struct ServeBench {
  ServeLoad load;
  std::string model;  // the checkpoint's file
  int picture_size = 0, clients = 0;

  boost::json::object to_json(const HourlyPrice& price) const;
  std::string text(const HourlyPrice& price) const;
  Throughput throughput() const;
};

// `run`: a run directory or a checkpoint; empty: the model that comes with the program. Throws Stopped.
ServeBench bench_serve(std::string run, int clients, int threads, double seconds);

}  // namespace nowhere
