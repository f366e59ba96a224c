// Figures that Prometheus collects.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace prometheus {
class Registry;
}

namespace nowhere {

// Any thread may call anything. A figure comes into being with its first call. Names begin with "nowhere_" and are in
// base units (seconds, bytes); one that is not a valid name, or that was used for another kind of figure, is an Error.
// Every different set of labels is kept for good: no seeds, paths or addresses in them.
class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // A gauge: what is now.
  void set(const std::string& name, const std::string& help, double value, const Labels& labels = {});
  // A counter, named "..._total": it only grows, so `value` is not negative.
  void add(const std::string& name, const std::string& help, double value, const Labels& labels = {});
  // A histogram; `limits` are the buckets' upper ends, rising, and the same in every call.
  void observe(const std::string& name, const std::string& help, double value,
               const std::vector<double>& limits, const Labels& labels = {});

  // All of it in Prometheus' text format 0.0.4.
  std::string text() const;

 private:
  std::unique_ptr<prometheus::Registry> registry_;
};

}  // namespace nowhere
