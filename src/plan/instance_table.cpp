#include "plan/instance_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

template <class Entry>
const Entry& find_entry(const std::vector<Entry>& entries, std::string Entry::*name,
                        const std::string& wanted, std::string_view what) {
  const auto found = std::ranges::find(entries, wanted, name);
  if (found != entries.end()) return *found;
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.*name);
  const auto meant = nearest(wanted, names);
  throw usage_error(fmt::format("there is no {} '{}'; {}give one of {}", what, printable_text(wanted),
                                meant ? fmt::format("did you mean {}? ", *meant) : "", join(names, ", ")));
}

}  // namespace

const InstanceType& InstanceTable::instance(const std::string& type) const {
  return find_entry(instances, &InstanceType::type, type, "instance type");
}

const DiskKind& InstanceTable::disk(const std::string& name) const {
  return find_entry(disks, &DiskKind::name, name, "disk");
}

const LoaderKind& InstanceTable::loader(const std::string& name) const {
  return find_entry(loaders, &LoaderKind::name, name, "kind of data");
}

const AcceleratorKind& InstanceTable::accelerator(const std::string& name) const {
  return find_entry(accelerators, &AcceleratorKind::name, name, "accelerator");
}

const LinkSpeed& InstanceTable::link(const std::string& name) const {
  return find_entry(links, &LinkSpeed::name, name, "link");
}

const PublishedRate* InstanceTable::published(std::string_view model, std::string_view instance) const {
  const auto found = std::ranges::find_if(published_rates, [&](const PublishedRate& rate) {
    return rate.model == model && rate.instance == instance;
  });
  return found == published_rates.end() ? nullptr : &*found;
}

double InstanceTable::spot_dollars(const InstanceType& instance) const {
  return instance.spot > 0 ? instance.spot : spot_share * instance.dollars;
}

}  // namespace nowhere
