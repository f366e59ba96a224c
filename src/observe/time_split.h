// Where a run's time goes, and what that means.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace nowhere {

// Seconds. The first four are the training thread's and add up to its time; the others are summed over the
// loader's threads and go on beside it.
struct TimeSplit {
  double waiting = 0;     // for the next batch
  double device = 0;      // the step
  double checkpoint = 0;  // copying what is saved, waiting for the one before to be written
  double other = 0;       // log points, pictures
  double reading = 0;     // files or records
  double decoding = 0;    // into pixels
  double resizing = 0;    // crop, resize, convert

  double total() const { return waiting + device + checkpoint + other; }
  TimeSplit& operator+=(const TimeSplit& more);
  TimeSplit operator-(const TimeSplit& before) const;
  boost::json::object to_json() const;
  // What is missing counts as 0.
  static TimeSplit from_json(const boost::json::object& json);
  // "device 93%, waiting for data 5%, checkpoint 1%, other 1% (loader: reading 1%, decoding 80%, resizing
  // 19%)"
  std::string text() const;
};

// What limits a run, and the remedy.
struct Bottleneck {
  std::string finding;  // "62% waiting for the disk"
  std::string remedy;   // empty where nothing is to be done

  std::string sentence() const;
};

// `packed`: the data come from a packed file.
Bottleneck bottleneck(const TimeSplit& split, bool packed, bool on_cpu);

}  // namespace nowhere
