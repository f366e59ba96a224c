// How many images an hour a rented machine trains on: published, or estimated from what is published.
#pragma once

#include <string>
#include <vector>

#include "plan/instance_table.h"
#include "plan/workload.h"

namespace nowhere {

enum class Origin { kPublished, kMeasured, kEstimated };
std::string_view name_of(Origin origin);

struct ImageRate {
  double images_per_hour = 0;
  Origin origin = Origin::kEstimated;
  std::string how;  // "published for p3.8xlarge, divided by 4"
};

struct PlannedModel {
  std::string name;  // as published rates call it
  Workload work;
};

// Refers to the table, which outlives it.
class RateEstimator {
 public:
  // `known`: the models of published rates, as they were published.
  RateEstimator(const InstanceTable& table, std::vector<PlannedModel> known);

  // Of one device alone. From the best that is published for the model on such a device, each device's share
  // where there are several; else from the model that is nearest in work, in proportion to the
  // multiplications; else from the base accelerator, in proportion to the bandwidth of the memory.
  ImageRate of_device(const PlannedModel& model, const std::string& accelerator) const;

  // Of all devices, with what they lose waiting for each other.
  ImageRate of_devices(const PlannedModel& model, const InstanceType& instance) const;
  double efficiency(const PlannedModel& model, const InstanceType& instance) const;

  // What is published for exactly this, or else of_devices.
  ImageRate of_instance(const PlannedModel& model, const InstanceType& instance) const;

 private:
  bool as_published(const PlannedModel& model) const;
  const PlannedModel* nearest_in_work(const PlannedModel& model, const std::string& accelerator) const;
  ImageRate best_published(const std::string& model, const std::string& accelerator) const;
  ImageRate from_base(const PlannedModel& model, const AcceleratorKind& accelerator) const;

  const InstanceTable& table_;
  std::vector<PlannedModel> known_;
};

}  // namespace nowhere
