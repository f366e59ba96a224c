// Metrics for Prometheus.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace prometheus {
class Registry;
}

namespace nowhere {

// Thread-safe. A metric is created by its first call. Names start with "nowhere_" and end in base units
// (seconds, bytes); an invalid name, or one that was used for another kind of metric, is an Error. Every
// distinct set of labels is kept forever, so labels hold no seeds, paths or addresses.
class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // A gauge: the current value.
  void set(const std::string& name, const std::string& help, double value, const Labels& labels = {});
  // A counter, named "..._total": it only grows, so `value` is not negative.
  void add(const std::string& name, const std::string& help, double value, const Labels& labels = {});
  // A histogram; `limits` are the upper ends of the buckets, ascending, and the same in every call.
  void observe(const std::string& name, const std::string& help, double value,
               const std::vector<double>& limits, const Labels& labels = {});

  // All metrics in Prometheus' text format 0.0.4.
  std::string text() const;

 private:
  std::unique_ptr<prometheus::Registry> registry_;
};

}  // namespace nowhere
