#include <fmt/core.h>

#include <algorithm>

#include "cli/commands.h"
#include "core/cpu.h"
#include "core/error.h"
#include "core/json.h"
#include "core/proc.h"
#include "core/text.h"
#include "model/feature_file.h"
#include "plan/plan_report.h"
#include "train/plan.h"

namespace nowhere {
namespace {

// A preset with the frozen network that is at hand, if it is made for one.
TrainConfig resolved_preset(const std::string& name) {
  const auto features = find_feature_file();
  TrainConfig config = train_preset(name, features.has_value());
  if (config.features == kAutoFeatures) config.features = features->string();
  return config;
}

PlannedModel planned_model(const TrainConfig& config) {
  // One set of parameters that has had two names.
  return {config.name == "safe-64" ? "clamp-64" : config.name, workload_of(config)};
}

class PlanRuns : public Command {
 public:
  PlanRuns() {
    options_.text("preset", preset_, "NAME", join(train_preset_names(), ", "));
    options_.integer("images", images_, 1, 1'000'000'000'000, "photographs of an epoch");
    options_.integer("epochs", epochs_, 1, 1'000'000, "how many");
    options_.integer("batch-size", batch_size_, 0, 65536, "on each device; 0: the preset's");
    options_.words("instance", instances_, "TYPES", "these instance types alone, with commas between");
    options_.text("data", data_, "KIND", "packed or jpeg: how photographs are stored");
    options_.text("disk", disk_, "NAME", "gp3, nvme or efs: what they are read from");
    options_.words("measured", measured_, "TYPE=X", "X images/s were measured on TYPE, with all its devices");
    options_.flag("measure", measure_, "also measure this machine, in a few small steps");
    options_.number("price", price_, 0, 1e6, "dollars an hour of this machine");
    options_.flag("compare", compare_,
                  "the reference's table of models and instances, filled up with estimates");
    options_.text("prices", prices_, "FILE", "newer prices and figures, as JSON; docs/costs.md has the form");
    options_.flag("json", json_, "print the plan as JSON");
  }

  std::string name() const override { return "plan"; }
  std::string summary() const override { return "hours, dollars and memory of a run on rented machines"; }
  std::string notes() const override {
    return "Prices and published figures have a date and a source, which are printed; ~ marks an estimate.\n";
  }
  std::string example() const override {
    return "nowhere plan --preset clamp-64 --images 940000 --epochs 16";
  }

  int run() override {
    table_ = InstanceTable::built_in();
    if (!prices_.empty()) table_.update(prices_);
    const RateEstimator rates(table_, published_models());
    if (compare_) return compare(rates);
    TrainConfig config = resolved_preset(preset_);
    if (batch_size_ > 0) config.batch_size = batch_size_;
    config.check();
    const PlanRequest request = request_for(planned_model(config));
    std::vector<PlanRow> rows;
    for (const InstanceType& instance : chosen(table_.instances))
      rows.push_back(plan_row(table_, rates, request, instance));
    if (measure_)
      rows.push_back(
          measured_row(request, available_cores(), machine_memory(), measure_speed(config), price_));
    json_ ? print(plan_json(table_, request, rows)) : fmt::print("{}", plan_text(table_, request, rows));
    return 0;
  }

 private:
  static void print(const boost::json::object& json) { fmt::print("{}\n", boost::json::serialize(json)); }

  static uint64_t machine_memory() {
    return proc_number(read_proc_file("/proc/meminfo"), "MemTotal").value_or(0);
  }

  PlanRequest request_for(PlannedModel model) const {
    return {.model = std::move(model),
            .images = images_,
            .epochs = epochs_,
            .loader = table_.loader(data_),
            .disk = table_.disk(disk_),
            .measured = measured_rates()};
  }

  // Every model that a published figure names, as it was then.
  std::vector<PlannedModel> published_models() const {
    std::vector<PlannedModel> models;
    for (const PublishedRate& rate : table_.published_rates) {
      if (std::ranges::find(models, rate.model, &PlannedModel::name) != models.end()) continue;
      try {
        models.push_back(planned_model(train_preset(rate.model)));
      } catch (const Error& error) {
        throw data_error(fmt::format("{}: {}", prices_, error.what()));
      }
    }
    return models;
  }

  std::vector<InstanceType> chosen(const std::vector<InstanceType>& all) const {
    if (instances_.empty()) return all;
    std::vector<InstanceType> some;
    for (const std::string& type : instances_) some.push_back(table_.instance(type));
    return some;
  }

  std::map<std::string, double> measured_rates() const {
    std::map<std::string, double> rates;
    for (const std::string& word : measured_) {
      const size_t equals = std::min(word.find('='), word.size());
      const auto rate = parse_number(std::string_view(word).substr(std::min(equals + 1, word.size())));
      if (!rate || !(*rate > 0 && *rate < 1e9))
        throw usage_error(fmt::format("--measured {}: not accepted; give TYPE=X with X images/s above 0",
                                      printable_text(word)));
      rates[table_.instance(word.substr(0, equals)).type] = *rate;
    }
    return rates;
  }

  int compare(const RateEstimator& rates) const {
    std::vector<InstanceType> compared;
    for (const std::string& type : table_.compared_instances) compared.push_back(table_.instance(type));
    std::vector<ComparedRow> rows;
    for (const std::string& model : table_.compared_models) {
      const PlanRequest request = request_for(planned_model(resolved_preset(model)));
      for (const InstanceType& instance : chosen(compared))
        rows.push_back({model, plan_row(table_, rates, request, instance)});
    }
    json_ ? print(comparison_json(table_, rows)) : fmt::print("{}", comparison_text(table_, rows));
    return 0;
  }

  InstanceTable table_;  // from run() on
  std::string preset_ = "clamp-64", data_ = "packed", disk_ = "gp3", prices_;
  int64_t images_ = 940'000, epochs_ = 16;
  int batch_size_ = 0;
  double price_ = 0;
  std::vector<std::string> instances_, measured_;
  bool measure_ = false, compare_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> plan_command() {
  return std::make_unique<PlanRuns>();
}

}  // namespace nowhere
