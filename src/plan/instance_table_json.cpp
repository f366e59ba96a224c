#include "plan/instance_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/options.h"
#include "core/text.h"
#include "plan/embedded_instances.h"

namespace nowhere {
namespace {

constexpr double kMost = 1e12;

void declare(LinkSpeed& link, Options& options) {
  options.number("gb-per-second", link.gb_per_second, 1e-3, 1e6, "");
  options.number("latency-us", link.latency_us, 0, 1e6, "");
}

void declare(AcceleratorKind& kind, Options& options) {
  options.number("gb-per-second", kind.gb_per_second, 1e-3, 1e6, "");
  options.number("tflops", kind.tflops, 0, 1e6, "");
}

void declare(DiskKind& disk, Options& options) {
  options.number("mb-per-second", disk.mb_per_second, 1e-3, 1e9, "");
  options.number("reads-per-second", disk.reads_per_second, 0, kMost, "");
}

void declare(LoaderKind& loader, Options& options) {
  options.number("images-per-second", loader.images_per_second, 1e-3, kMost, "");
  options.number("bytes", loader.bytes, 1, kMost, "");
  options.integer("size", loader.size, 0, 4096, "");
}

void declare(InstanceType& instance, Options& options) {
  options.integer("devices", instance.devices, 1, 1024, "");
  options.text("accelerator", instance.accelerator, "NAME", "");
  options.number("accelerator-gib", instance.accelerator_gib, 0.1, 1e6, "");
  options.text("link", instance.link, "NAME", "");
  options.integer("vcpus", instance.vcpus, 1, 65536, "");
  options.number("memory-gib", instance.memory_gib, 0.1, 1e6, "");
  options.number("dollars", instance.dollars, 1e-4, 1e6, "");
  options.number("spot", instance.spot, 0, 1e6, "");
}

// The objects of a list, which is taken out of `json`; none where it is missing.
std::vector<boost::json::object> take_entries(boost::json::object& json, std::string_view list,
                                              const std::string& where) {
  const boost::json::value found = json[list];
  json.erase(list);
  if (found.is_null()) return {};
  if (!found.is_array()) throw data_error(fmt::format("{}: {} is no list; put it in brackets", where, list));
  std::vector<boost::json::object> entries;
  for (const auto& value : found.as_array()) {
    if (!value.is_object())
      throw data_error(fmt::format("{}: an entry of {} is no object; put it in braces", where, list));
    entries.push_back(value.as_object());
  }
  return entries;
}

// Takes the text at `key` out of an entry.
std::string take_text(boost::json::object& entry, std::string_view key, const std::string& where) {
  const auto* value = entry.if_contains(key);
  if (value == nullptr || !value->is_string() || value->as_string().empty())
    throw data_error(fmt::format("{}: an entry has no \"{}\"; give it a text", where, key));
  std::string text(value->as_string());
  entry.erase(key);
  return text;
}

// Entries that the list does not know by name are added to it.
template <class Entry>
void update_list(boost::json::object& json, std::string_view list, std::string_view key,
                 std::string Entry::*name, std::vector<Entry>& entries, const std::string& where) {
  const std::string place = fmt::format("{}: {}", where, list);
  for (boost::json::object& fields : take_entries(json, list, where)) {
    const std::string wanted = take_text(fields, key, place);
    auto known = std::ranges::find(entries, wanted, name);
    if (known == entries.end()) {
      known = entries.emplace(entries.end());
      (*known).*name = wanted;
    }
    Options options;
    declare(*known, options);
    options.from_json(fields, fmt::format("{}: {}", place, printable_text(wanted)));
  }
}

// Two texts name a published figure.
void update_published(boost::json::object& json, std::vector<PublishedRate>& rates,
                      const std::string& where) {
  const std::string place = where + ": published";
  for (boost::json::object& fields : take_entries(json, "published", where)) {
    PublishedRate rate{.model = take_text(fields, "model", place),
                       .instance = take_text(fields, "instance", place)};
    std::erase_if(rates, [&](const PublishedRate& old) {
      return old.model == rate.model && old.instance == rate.instance;
    });
    Options options;
    options.number("images-per-hour", rate.images_per_hour, 1, kMost, "");
    options.text("note", rate.note, "TEXT", "");
    options.from_json(fields, place + ": " + printable_text(rate.model));
    rates.push_back(std::move(rate));
  }
}

// A number that an entry cannot do without.
void require(double number, std::string_view key, std::string_view entry, const std::string& where) {
  if (number <= 0)
    throw data_error(
        fmt::format("{}: {} has no \"{}\"; give a number above 0", where, printable_text(entry), key));
}

}  // namespace

InstanceTable InstanceTable::built_in() {
  InstanceTable table;
  table.update(parse_json_object(embedded_instances(), "instances.json"), "instances.json");
  return table;
}

void InstanceTable::update(const std::filesystem::path& file) {
  boost::json::object json = read_json_file(file);
  try {
    update(std::move(json), printable(file));
  } catch (const Error& error) {
    throw data_error(error.what());
  }
}

void InstanceTable::update(boost::json::object json, const std::string& where) {
  update_list(json, "links", "name", &LinkSpeed::name, links, where);
  update_list(json, "accelerators", "name", &AcceleratorKind::name, accelerators, where);
  update_list(json, "disks", "name", &DiskKind::name, disks, where);
  update_list(json, "loaders", "name", &LoaderKind::name, loaders, where);
  update_list(json, "instances", "type", &InstanceType::type, instances, where);
  update_published(json, published_rates, where);
  Options options;
  options.text("date", date, "DATE", "");
  options.text("source", source, "TEXT", "");
  options.number("spot-share", spot_share, 0.01, 1, "");
  options.text("base-accelerator", base_accelerator, "NAME", "");
  options.words("compared-models", compared_models, "NAMES", "");
  options.words("compared-instances", compared_instances, "TYPES", "");
  options.from_json(json, where);
  check(where);
}

void InstanceTable::check(const std::string& where) const {
  for (const LinkSpeed& each : links) require(each.gb_per_second, "gb_per_second", each.name, where);
  for (const AcceleratorKind& each : accelerators)
    require(each.gb_per_second, "gb_per_second", each.name, where);
  for (const DiskKind& each : disks) require(each.mb_per_second, "mb_per_second", each.name, where);
  for (const LoaderKind& each : loaders) {
    require(each.images_per_second, "images_per_second", each.name, where);
    require(each.bytes, "bytes", each.name, where);
  }
  for (const InstanceType& each : instances) {
    require(each.devices, "devices", each.type, where);
    require(each.accelerator_gib, "accelerator_gib", each.type, where);
    require(each.vcpus, "vcpus", each.type, where);
    require(each.memory_gib, "memory_gib", each.type, where);
    require(each.dollars, "dollars", each.type, where);
  }
  for (const PublishedRate& each : published_rates)
    require(each.images_per_hour, "images_per_hour", each.model + " on " + each.instance, where);
  try {  // every name that an entry mentions
    accelerator(base_accelerator);
    for (const InstanceType& each : instances) {
      accelerator(each.accelerator);
      link(each.link);
    }
    for (const PublishedRate& each : published_rates) instance(each.instance);
    for (const std::string& type : compared_instances) instance(type);
  } catch (const Error& error) {
    throw data_error(where + ": " + error.what());
  }
}

}  // namespace nowhere
