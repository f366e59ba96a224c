#include "plan/run_plan.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr double kHour = 3600;  // seconds
constexpr double kGib = 1 << 30;

// How the costs of an image grow with its size.
double area_share(const PlanRequest& request) {
  if (request.loader.size == 0) return 1;
  const double side = static_cast<double>(request.model.work.size) / request.loader.size;
  return side * side;
}

void add_loading(PlanRow& row, const PlanRequest& request) {
  const double area = area_share(request), bytes = request.loader.bytes * area;
  row.loader_images_per_hour = kHour * row.instance.vcpus * request.loader.images_per_second / area;
  double reads = request.disk.mb_per_second * 1e6 / bytes;
  if (request.disk.reads_per_second > 0) reads = std::min(reads, request.disk.reads_per_second);
  row.disk_images_per_hour = kHour * reads;
}

// The slowest decides. A measurement has met its limits already.
void apply_limits(PlanRow& row) {
  if (row.rate.origin == Origin::kMeasured) return;
  const auto limit_to = [&](double images, Limit limit, const char* how) {
    if (images >= row.rate.images_per_hour) return;
    row.rate = {images, Origin::kEstimated, how};
    row.limit = limit;
  };
  limit_to(row.loader_images_per_hour, Limit::kLoader, "what the loader brings");
  limit_to(row.disk_images_per_hour, Limit::kDisk, "what the disk brings");
}

void add_costs(PlanRow& row, const PlanRequest& request) {
  const int64_t epoch = images_of_epoch(request.images, request.model.work.batch, row.instance.devices);
  if (epoch == 0)
    throw usage_error(fmt::format(
        "{} cannot fill a batch of {} on each of the {} of {}; give more --images, or a smaller --batch-size",
        counted(request.images, "image"), request.model.work.batch, counted(row.instance.devices, "device"),
        row.instance.type));
  row.hours = static_cast<double>(epoch) * static_cast<double>(request.epochs) / row.rate.images_per_hour;
  row.dollars = row.hours * row.instance.dollars;
  row.spot_dollars = row.hours * row.spot_price;
}

}  // namespace

std::string_view name_of(Limit limit) {
  switch (limit) {
    case Limit::kLoader:
      return "loader";
    case Limit::kDisk:
      return "disk";
    default:
      return "device";
  }
}

bool PlanRow::fits() const {
  return static_cast<double>(device_bytes) <= device_gib() * kGib;
}

PlanRow plan_row(const InstanceTable& table, const RateEstimator& rates, const PlanRequest& request,
                 const InstanceType& instance) {
  // A published figure this far below what the devices did elsewhere was not limited by them.
  constexpr double kBusy = 0.9;
  PlanRow row;
  row.instance = instance;
  row.rate = rates.of_instance(request.model, instance);
  row.device_images_per_hour = rates.of_device(request.model, instance.accelerator).images_per_hour;
  row.efficiency = rates.efficiency(request.model, instance);
  const double devices = row.device_images_per_hour * instance.devices * row.efficiency;
  if (const auto found = request.measured.find(instance.type); found != request.measured.end())
    row.rate = {found->second * kHour, Origin::kMeasured, "measured"};
  else if (row.rate.images_per_hour < kBusy * devices)
    row.limit = Limit::kLoader;
  row.device_bytes = request.model.work.device_bytes();
  row.spot_price = table.spot_dollars(instance);
  row.spot_published = instance.spot > 0;
  add_loading(row, request);
  apply_limits(row);
  add_costs(row, request);
  return row;
}

PlanRow measured_row(const PlanRequest& request, int cores, uint64_t memory_bytes, double images_per_second,
                     double dollars) {
  PlanRow row;
  row.instance = {.type = "this machine",
                  .devices = 1,
                  .accelerator = "device",
                  .accelerator_gib = static_cast<double>(memory_bytes) / kGib,
                  .vcpus = cores,
                  .memory_gib = static_cast<double>(memory_bytes) / kGib,
                  .dollars = dollars};
  row.rate = {images_per_second * kHour, Origin::kMeasured, "a few small steps"};
  row.device_images_per_hour = row.rate.images_per_hour;
  row.device_bytes = request.model.work.memory_bytes();
  add_loading(row, request);
  add_costs(row, request);
  return row;
}

double dollars_per_million(double images_per_hour, double dollars_per_hour) {
  return dollars_per_hour / images_per_hour * 1e6;
}

}  // namespace nowhere
