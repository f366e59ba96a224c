// What a run would take on rented machines: hours, dollars, memory, and what would limit it.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/rates.h"

namespace nowhere {

enum class Limit { kDevice, kLoader, kDisk };
std::string_view name_of(Limit limit);

struct PlanRequest {
  PlannedModel model;
  int64_t images = 0;  // photographs
  int64_t epochs = 0;
  LoaderKind loader;
  DiskKind disk;
  std::map<std::string, double> measured = {};  // images/s of instances, all devices together
};

struct PlanRow {
  InstanceType instance;
  ImageRate rate;                                               // what decides
  Limit limit = Limit::kDevice;                                 // that decides it
  double device_images_per_hour = 0;                            // of one device alone
  double efficiency = 1;                                        // of all of them together
  double loader_images_per_hour = 0, disk_images_per_hour = 0;  // that they could bring
  double hours = 0;
  double dollars = 0, spot_dollars = 0;  // of the run; 0: no price is known
  double spot_price = 0;                 // an hour
  bool spot_published = false;
  uint64_t device_bytes = 0;  // that training needs of each device

  double images_per_dollar() const { return rate.images_per_hour / instance.dollars; }
  double images_per_spot_dollar() const { return rate.images_per_hour / spot_price; }
  double device_gib() const { return instance.accelerator_gib / instance.devices; }
  bool fits() const;
};

// Throws a usage error where the photographs do not fill one batch on every device.
PlanRow plan_row(const InstanceTable& table, const RateEstimator& rates, const PlanRequest& request,
                 const InstanceType& instance);

// A machine at hand, whose speed was measured. `dollars` an hour; 0: no price.
PlanRow measured_row(const PlanRequest& request, int cores, uint64_t memory_bytes, double images_per_second,
                     double dollars);

double dollars_per_million(double images_per_hour, double dollars_per_hour);

}  // namespace nowhere
