#include "observe/metrics.h"

#include <fmt/core.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <stdexcept>

#include "core/error.h"

namespace nowhere {
namespace {

// The registry refuses bad names with standard exceptions, which do not say which metric it was.
template <class Work>
void with_named_errors(const std::string& name, const Work& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    throw Error(fmt::format("the metric \"{}\" was refused: {}", name, error.what()));
  }
}

}  // namespace

Metrics::Metrics() : registry_(std::make_unique<prometheus::Registry>()) {}

Metrics::~Metrics() = default;

void Metrics::set(const std::string& name, const std::string& help, double value, const Labels& labels) {
  with_named_errors(name, [&] {
    prometheus::BuildGauge().Name(name).Help(help).Register(*registry_).Add(labels).Set(value);
  });
}

void Metrics::add(const std::string& name, const std::string& help, double value, const Labels& labels) {
  with_named_errors(name, [&] {
    prometheus::BuildCounter().Name(name).Help(help).Register(*registry_).Add(labels).Increment(value);
  });
}

void Metrics::observe(const std::string& name, const std::string& help, double value,
                      const std::vector<double>& limits, const Labels& labels) {
  with_named_errors(name, [&] {
    prometheus::BuildHistogram()
        .Name(name)
        .Help(help)
        .Register(*registry_)
        .Add(labels, limits)
        .Observe(value);
  });
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(registry_->Collect());
}

}  // namespace nowhere
