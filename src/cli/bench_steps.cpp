#include "cli/bench_steps.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/heap.h"
#include "core/text.h"
#include "model/feature_file.h"
#include "plan/run_plan.h"
#include "plot/plot.h"

namespace nowhere {
namespace {

boost::json::object step_json(const StepAtBatch& step, const HourlyPrice& price) {
  boost::json::object json = throughput_json(step.bench.images_per_second, price);
  json["batch"] = step.batch;
  json["peak_bytes"] = step.bench.peak_bytes;
  json["bytes_at_start"] = step.bench.bytes_at_start;
  return json;
}

// As `train` would take it on this machine: with the frozen network where that is installed.
TrainConfig preset_here(const std::string& preset) {
  const auto features = find_feature_file();
  TrainConfig config = train_preset(preset, features.has_value());
  if (config.features != kNoFeatures) config.features = features->string();
  return config;
}

}  // namespace

StepsBench bench_steps(const std::string& preset, std::vector<int> batches, int threads, double seconds,
                       const StepChoices& choices) {
  std::ranges::sort(batches);
  const auto repeated = std::ranges::unique(batches);
  batches.erase(repeated.begin(), repeated.end());
  TrainConfig config = preset_here(preset);
  config.threads = threads;
  config.kernels = choices.kernels;
  config.precision = choices.precision;
  const auto set_batch = [&](int batch) {
    config.batch_size = batch;
    config.check();
  };
  for (const int batch : batches) set_batch(batch);  // what is wrong is said before anything is measured
  keep_freed_memory();                               // as `train` does
  StepsBench bench{.preset = preset, .threads = threads};
  for (const int batch : batches) {
    set_batch(batch);
    return_freed_memory();  // of the batch before, or it would count as there from the start
    bench.batches.push_back({batch, bench_step(config, seconds)});
  }
  return bench;
}

boost::json::object StepsBench::to_json(const HourlyPrice& price) const {
  if (batches.size() == 1) return step_json(batches.front(), price);
  boost::json::array list;
  for (const StepAtBatch& step : batches) list.push_back(step_json(step, price));
  return {{"preset", preset}, {"threads", threads}, {"batches", list}};
}

std::string StepsBench::text(const HourlyPrice& price) const {
  if (batches.size() == 1) {
    const auto& [batch, bench] = batches.front();
    return fmt::format("{:.0f} images/s ({:.2f} million/hour), {} on {}, batches of {}, peak memory {}{}\n",
                       bench.images_per_second, bench.images_per_second * 3600 / 1e6, preset,
                       counted(threads, "thread"), batch, human_bytes(bench.peak_bytes),
                       cost_text(bench.images_per_second, price));
  }
  std::vector<std::string> heading = {"batch", "images/s", "images/hour", "speed", "peak memory"};
  if (price.on_demand > 0) heading.emplace_back("$ a million");
  Table table(heading);
  for (const auto& [batch, bench] : batches) {
    const double rate = bench.images_per_second, hourly = rate * 3600;
    std::vector<std::string> row = {std::to_string(batch), fmt::format("{:.1f}", rate),
                                    with_commas(static_cast<int64_t>(hourly)),
                                    fmt::format("{:.2f}x", rate / batches.front().bench.images_per_second),
                                    human_bytes(bench.peak_bytes)};
    if (price.on_demand > 0)
      row.push_back(fmt::format("{:.2f}", dollars_per_million(hourly, price.on_demand)));
    table.add(row);
  }
  return fmt::format("{} on {}\n", preset, counted(threads, "thread")) + table.text();
}

Throughput StepsBench::throughput() const {
  const auto best = std::ranges::max_element(
      batches, {}, [](const StepAtBatch& step) { return step.bench.images_per_second; });
  return {"step", best->bench.images_per_second,
          fmt::format("{}, {}, batches of {}", counted(threads, "thread"), preset, best->batch)};
}

void StepsBench::write_plot(const std::filesystem::path& file) const {
  Series speed{.name = ""}, memory{.name = ""};
  for (const auto& [batch, bench] : batches) {
    speed.x.push_back(batch);
    speed.y.push_back(bench.images_per_second);
    memory.x.push_back(batch);
    memory.y.push_back(static_cast<double>(bench.peak_bytes) / 1e6);
  }
  const auto top = [](const Series& series) { return PlotRange{0, 1.1 * std::ranges::max(series.y)}; };
  Plot first{.title = fmt::format("{}: how the batch size pays, on {}", preset, counted(threads, "thread")),
             .x_label = "batch size",
             .y_label = "images/s",
             .series = {speed}};
  Plot second{.title = "memory of the process at its peak",
              .x_label = "batch size",
              .y_label = "MB",
              .series = {memory}};
  first.y_range = top(speed);
  second.y_range = top(memory);
  first.height = second.height = 360;
  write_plots(file, std::vector<Plot>{first, second});
}

}  // namespace nowhere
