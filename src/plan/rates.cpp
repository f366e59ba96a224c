#include "plan/rates.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "plan/scaling.h"

namespace nowhere {
namespace {

constexpr double kSecondsAnHour = 3600;

double work_of(const PlannedModel& model) {
  return static_cast<double>(model.work.multiplications());
}

}  // namespace

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::kPublished:
      return "published";
    case Origin::kMeasured:
      return "measured";
    default:
      return "estimated";
  }
}

RateEstimator::RateEstimator(const InstanceTable& table, std::vector<PlannedModel> known)
    : table_(table), known_(std::move(known)) {}

bool RateEstimator::as_published(const PlannedModel& model) const {
  const auto found = std::ranges::find(known_, model.name, &PlannedModel::name);
  return found != known_.end() && found->work.batch == model.work.batch;
}

// No images where nothing is published.
ImageRate RateEstimator::best_published(const std::string& model, const std::string& accelerator) const {
  ImageRate best;
  for (const PublishedRate& rate : table_.published_rates) {
    const InstanceType& instance = table_.instance(rate.instance);
    const double share = rate.images_per_hour / instance.devices;
    if (rate.model != model || instance.accelerator != accelerator || share <= best.images_per_hour) continue;
    best.images_per_hour = share;
    best.how = fmt::format("published for {}{}", rate.instance,
                           instance.devices > 1 ? fmt::format(", divided by {}", instance.devices) : "");
  }
  return best;
}

const PlannedModel* RateEstimator::nearest_in_work(const PlannedModel& model,
                                                   const std::string& accelerator) const {
  const PlannedModel* nearest = nullptr;
  const auto distance = [&](const PlannedModel& other) {
    return std::abs(std::log(work_of(other) / work_of(model)));
  };
  for (const PlannedModel& other : known_)
    if (best_published(other.name, accelerator).images_per_hour > 0 &&
        (nearest == nullptr || distance(other) < distance(*nearest)))
      nearest = &other;
  return nearest;
}

ImageRate RateEstimator::from_base(const PlannedModel& model, const AcceleratorKind& accelerator) const {
  // Training moves more than it multiplies: what is published of a V100 is a twentieth of its peak. So memory
  // decides, and nothing is taken to reach more than half of its peak.
  constexpr double kShareOfPeak = 0.5, kOperations = 2;  // of a multiply-add
  const AcceleratorKind& base = table_.accelerator(table_.base_accelerator);
  if (base.name == accelerator.name)
    throw data_error(
        fmt::format("nothing is published of the base accelerator {}; name one in base_accelerator "
                    "of which something is",
                    base.name));
  ImageRate rate = of_device(model, base.name);
  rate.images_per_hour *= accelerator.gb_per_second / base.gb_per_second;
  rate.origin = Origin::kEstimated;
  rate.how = fmt::format("from {} by the bandwidth of the memory ({})", base.name, rate.how);
  const double most =
      kSecondsAnHour * kShareOfPeak * accelerator.tflops * 1e12 / (kOperations * work_of(model));
  if (accelerator.tflops > 0 && most < rate.images_per_hour)
    rate = {most, Origin::kEstimated, fmt::format("half of the peak of {}", accelerator.name)};
  return rate;
}

ImageRate RateEstimator::of_device(const PlannedModel& model, const std::string& accelerator) const {
  if (ImageRate own = best_published(model.name, accelerator); own.images_per_hour > 0) return own;
  const PlannedModel* other = nearest_in_work(model, accelerator);
  if (other == nullptr) return from_base(model, table_.accelerator(accelerator));
  ImageRate rate = best_published(other->name, accelerator);
  rate.images_per_hour *= work_of(*other) / work_of(model);
  rate.how = fmt::format("from {} in proportion to the multiply-adds ({})", other->name, rate.how);
  return rate;
}

double RateEstimator::efficiency(const PlannedModel& model, const InstanceType& instance) const {
  const double compute = static_cast<double>(model.work.batch) * kSecondsAnHour /
                         of_device(model, instance.accelerator).images_per_hour;
  return scaling_efficiency(model.work, compute, instance.devices, table_.link(instance.link));
}

ImageRate RateEstimator::of_devices(const PlannedModel& model, const InstanceType& instance) const {
  ImageRate rate = of_device(model, instance.accelerator);
  if (instance.devices == 1) return rate;
  const double share = efficiency(model, instance);
  rate.images_per_hour *= instance.devices * share;
  rate.how += fmt::format("; {} devices at {:.0f}%", instance.devices, 100 * share);
  return rate;
}

ImageRate RateEstimator::of_instance(const PlannedModel& model, const InstanceType& instance) const {
  const PublishedRate* published = table_.published(model.name, instance.type);
  if (published == nullptr) return of_devices(model, instance);
  ImageRate rate{published->images_per_hour, Origin::kPublished, "published"};
  if (!published->note.empty()) rate.how += fmt::format(" ({})", published->note);
  if (!as_published(model)) {
    rate.origin = Origin::kEstimated;
    rate.how += ", for another batch size";
  }
  return rate;
}

}  // namespace nowhere
