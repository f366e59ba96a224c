// What the machine that trains was doing lately, for the gallery's live view.
#pragma once

#include <boost/json.hpp>
#include <deque>
#include <string>

namespace nowhere {

// The newest log points of stats.jsonl, at most 240, since the run was last started. One thread at a time.
class MachineView {
 public:
  // A line of stats.jsonl. Figures that it lacks are left out.
  void add(const boost::json::object& line);
  void forget();

  // {"points":[{"time":..,"images_per_second":..,...}],"accelerators":["..."],"bottleneck":".."}. Times are
  // seconds since 1970, shares go from 0 to 1. Empty text when there are no points.
  std::string json() const;

 private:
  std::deque<boost::json::object> points_;
  boost::json::array accelerators_;  // names
  std::string bottleneck_;           // a sentence; empty when unknown
};

}  // namespace nowhere
