// What is known of rented machines: prices, accelerators, published throughput. Data with a date, built in
// (instances.json) and changed by a file of the same form.
#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowhere {

// Between the accelerators of a machine, in each direction.
struct LinkSpeed {
  std::string name;
  double gb_per_second = 0;
  double latency_us = 0;
};

struct AcceleratorKind {
  std::string name;
  double gb_per_second = 0;  // of its memory
  double tflops = 0;         // at most, in the precision that training uses there; 0: nobody says
};

struct DiskKind {
  std::string name;
  double mb_per_second = 0;
  double reads_per_second = 0;  // 0: no limit
};

// How photographs are stored, and what that costs.
struct LoaderKind {
  std::string name;              // "packed"
  double images_per_second = 0;  // of one core
  double bytes = 0;              // of an image on the disk
  int size = 0;                  // pixels of a side that both are for, in proportion to the area; 0: for any
};

struct InstanceType {
  std::string type;  // "p3.2xlarge"
  int devices = 0;
  std::string accelerator;
  double accelerator_gib = 0;  // of all devices
  std::string link;
  int vcpus = 0;
  double memory_gib = 0;
  double dollars = 0;  // an hour, on demand
  double spot = 0;     // an hour; 0: nobody says
};

struct PublishedRate {
  std::string model, instance;
  double images_per_hour = 0;
  std::string note;
};

class InstanceTable {
 public:
  // What is built in.
  static InstanceTable built_in();

  // Takes over what a file says. Entries of a known name change what they mention, others are added. Throws a
  // data error that names the file and the entry; the table is not to be used then.
  void update(const std::filesystem::path& file);

  // Throws a usage error with the name that is nearest.
  const InstanceType& instance(const std::string& type) const;
  const DiskKind& disk(const std::string& name) const;
  const LoaderKind& loader(const std::string& name) const;
  const AcceleratorKind& accelerator(const std::string& name) const;
  const LinkSpeed& link(const std::string& name) const;
  const PublishedRate* published(std::string_view model, std::string_view instance) const;  // or null

  double spot_dollars(const InstanceType& instance) const;  // the share of spot_share where nobody says

  std::string date, source;
  double spot_share = 0;         // of the price on demand
  std::string base_accelerator;  // that others are compared with
  std::vector<LinkSpeed> links;
  std::vector<AcceleratorKind> accelerators;
  std::vector<DiskKind> disks;
  std::vector<LoaderKind> loaders;
  std::vector<InstanceType> instances;
  std::vector<PublishedRate> published_rates;
  std::vector<std::string> compared_models, compared_instances;

 private:
  void update(boost::json::object json, const std::string& where);
  void check(const std::string& where) const;
};

}  // namespace nowhere
