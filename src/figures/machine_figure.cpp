#include "figures/machine_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "core/text.h"
#include "observe/stats_log.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxSpans = 240;  // of a curve; more are joined
constexpr size_t kMaxAccelerators = 16;
constexpr int kPanelHeight = 185, kLegendHeight = 22;  // pixels

std::optional<double> number_at(const boost::json::object& json, const char* key) {
  const boost::json::value* value = json.if_contains(key);
  if (value == nullptr || !value->is_number()) return {};
  return value->to_number<double>();
}

void read_accelerators(const boost::json::object& line, MachineInterval& interval, MachineHistory& history) {
  const boost::json::value* accelerators = line.if_contains("accelerators");
  if (accelerators == nullptr || !accelerators->is_array()) return;
  for (const boost::json::value& one : accelerators->get_array()) {
    if (!one.is_object() || interval.accelerator_use_shares.size() == kMaxAccelerators) continue;
    interval.accelerator_use_shares.push_back(number_at(one.get_object(), "use_share").value_or(0));
    if (history.accelerators.size() >= interval.accelerator_use_shares.size()) continue;
    const boost::json::value* name = one.get_object().if_contains("name");
    history.accelerators.push_back(name != nullptr && name->is_string() ? std::string(name->get_string())
                                                                        : "accelerator");
  }
}

struct TimeUnit {
  double seconds;
  const char* name;
};

TimeUnit unit_for(double seconds) {
  if (seconds < 3 * 60) return {1, "seconds"};
  if (seconds < 3 * 3600) return {60, "minutes"};
  return {3600, "hours"};
}

using Measure = std::function<std::optional<double>(const MachineInterval&)>;

// A mean over a span of time, in seconds of training.
struct Span {
  double begin, end, value;
};

// What all panels share.
class TimeAxis {
 public:
  explicit TimeAxis(const MachineHistory& history) : intervals_(history.intervals) {
    for (const MachineInterval& interval : intervals_) seconds_ += interval.time.total();
    unit_ = unit_for(seconds_);
  }

  std::string label() const { return fmt::format("{} of training", unit_.name); }
  PlotRange range() const { return {0, seconds_ > 0 ? seconds_ / unit_.seconds : 1}; }

  std::vector<Span> spans(const Measure& measure) const {
    std::vector<Span> spans;
    double begin = 0;
    for (const MachineInterval& interval : intervals_) {
      const double end = begin + interval.time.total();
      if (const auto value = measure(interval)) spans.push_back({begin, end, *value});
      begin = end;
    }
    return spans;
  }

  // Neighbours joined to at most kMaxSpans, each with the mean over its time.
  std::vector<Span> joined(const std::vector<Span>& spans) const {
    std::vector<Span> joined;
    double weight = 0;
    size_t group = 0;
    for (const Span& span : spans) {
      const double length = span.end - span.begin;
      const auto own =
          std::min(kMaxSpans - 1, static_cast<size_t>((span.begin + length / 2) / seconds_ * kMaxSpans));
      if (joined.empty() || own != group) {
        joined.push_back(span);
        weight = length;
        group = own;
        continue;
      }
      Span& last = joined.back();
      last.end = span.end;
      weight += length;
      last.value += (span.value - last.value) * length / weight;
    }
    return joined;
  }

  // A level for each span: what was measured is a mean over it.
  Series stairs(const std::string& name, const std::vector<Span>& spans) const {
    Series series{.name = name, .dots = false};
    for (const Span& span : spans) {
      series.x.insert(series.x.end(), {span.begin / unit_.seconds, span.end / unit_.seconds});
      series.y.insert(series.y.end(), {span.value, span.value});
    }
    return series;
  }

  Series raw(const std::string& name, const std::vector<Span>& spans) const {
    Series series{.name = name, .faint = true};
    for (const Span& span : spans) {
      series.x.push_back((span.begin + span.end) / 2 / unit_.seconds);
      series.y.push_back(span.value);
    }
    return series;
  }

 private:
  const std::vector<MachineInterval>& intervals_;
  double seconds_ = 0;
  TimeUnit unit_{1, ""};
};

class Panels {
 public:
  explicit Panels(const MachineHistory& history) : axis_(history) {}

  void begin(const std::string& title, size_t legend_rows = 0) {
    const int height = kPanelHeight + kLegendHeight * static_cast<int>(legend_rows);
    plots_.push_back({.title = title, .height = height, .x_range = axis_.range()});
  }

  // The values themselves stand faintly behind a filled curve that had to be joined.
  void curve(const std::string& name, const Measure& measure, bool filled = false) {
    Plot& plot = plots_.back();
    const std::vector<Span> spans = axis_.spans(measure);
    if (spans.empty()) return;
    const bool many = spans.size() > kMaxSpans;
    if (many && filled) plot.series.push_back(axis_.raw(name, spans));
    plot.series.push_back(axis_.stairs(name, many ? axis_.joined(spans) : spans));
    plot.series.back().filled = filled;
  }

  void end_with_percent() { plots_.back().y_range = PlotRange{0, 104}; }  // room for the line at 100

  // From 0 to a little above the highest curve; single spikes among raw values are cut off.
  void end_with_rate() {
    double highest = 0;
    for (const Series& series : plots_.back().series)
      if (!series.faint)
        for (const double y : series.y) highest = std::max(highest, y);
    plots_.back().y_range = PlotRange{0, highest > 0 ? 1.15 * highest : 1};
  }

  void drop_if_empty() {
    if (plots_.back().series.empty()) plots_.pop_back();
  }

  std::vector<Plot> finish(const std::string& caption) {
    plots_.back().x_label = axis_.label();
    plots_.back().height += kLegendHeight;
    plots_.back().caption = caption;
    return std::move(plots_);
  }

 private:
  TimeAxis axis_;
  std::vector<Plot> plots_;
};

std::optional<double> percent(std::optional<double> share) {
  if (share) *share *= 100;
  return share;
}

std::optional<double> share_of_time(double part, const TimeSplit& time) {
  return 100 * part / time.total();
}

bool from_packed_file(const boost::json::object& config) {
  const boost::json::value* data = config.if_contains("dataroot");
  if (data == nullptr || !data->is_string()) return false;
  const fs::path path(std::string(data->get_string()));
  std::error_code ignored;
  return path.extension() == ".nwp" || fs::is_regular_file(path, ignored);
}

bool computes_on_cpu(const boost::json::object& config, const MachineHistory& history) {
  const boost::json::value* device = config.if_contains("device");
  const bool open = device == nullptr || *device == "auto";
  return open ? history.accelerators.empty() : *device == "cpu";
}

std::string caption_of(const MachineHistory& history, const boost::json::object& config) {
  TimeSplit time;
  for (const MachineInterval& interval : history.intervals) time += interval.time;
  if (time.total() <= 0) return "";
  return fmt::format("Bottleneck: {}\n{} of training: {}",
                     bottleneck(time, from_packed_file(config), computes_on_cpu(config, history)).sentence(),
                     human_time(time.total()), time.text());
}

}  // namespace

MachineHistory read_machine_history(const fs::path& stats) {
  MachineHistory history;
  for_each_stat(stats, [&](const boost::json::object& line) {
    const boost::json::value* seconds = line.if_contains("seconds");
    if (seconds == nullptr || !seconds->is_object()) return;  // the end of an epoch, or another's line
    MachineInterval interval{.time = TimeSplit::from_json(seconds->get_object()),
                             .images_per_second = number_at(line, "images_per_second"),
                             .cpu_share = number_at(line, "cpu_share"),
                             .machine_cpu_share = number_at(line, "machine_cpu_share"),
                             .disk_read_bytes_per_second = number_at(line, "disk_read_bytes_per_second"),
                             .disk_busy_share = number_at(line, "disk_busy_share"),
                             .accelerator_use_shares = {}};
    if (!(interval.time.total() > 0)) return;
    read_accelerators(line, interval, history);
    history.intervals.push_back(std::move(interval));
  });
  return history;
}

std::vector<Plot> machine_plots(const MachineHistory& history, const boost::json::object& config) {
  constexpr double kMegabyte = 1e6;
  Panels panels(history);
  if (!history.accelerators.empty()) {
    const size_t count = history.accelerators.size();
    panels.begin("Accelerator use, %", (count + 1) / 2);
    for (size_t i = 0; i < count; ++i)
      panels.curve(
          fmt::format("{}: {}", i, history.accelerators[i]),
          [i](const MachineInterval& interval) {
            const auto& shares = interval.accelerator_use_shares;
            return i < shares.size() ? std::optional(100 * shares[i]) : std::nullopt;
          },
          /*filled=*/count == 1);
    panels.end_with_percent();
  }
  panels.begin("Time waiting for data, %");
  panels.curve(
      "", [](const auto& one) { return share_of_time(one.time.waiting, one.time); }, true);
  panels.end_with_percent();
  panels.begin("Disk that holds the data: busy, %");
  panels.curve(
      "", [](const auto& one) { return percent(one.disk_busy_share); }, true);
  panels.end_with_percent();
  panels.drop_if_empty();
  panels.begin("Disk reads, MB/s");
  panels.curve(
      "",
      [](const auto& one) {
        auto rate = one.disk_read_bytes_per_second;
        if (rate) *rate /= kMegabyte;
        return rate;
      },
      true);
  panels.end_with_rate();
  panels.drop_if_empty();
  panels.begin("CPU, %", 1);
  panels.curve(
      "this run, of the cores it may use", [](const auto& one) { return percent(one.cpu_share); }, true);
  panels.curve("everything on the machine", [](const auto& one) { return percent(one.machine_cpu_share); });
  panels.end_with_percent();
  panels.begin("Images a second");
  panels.curve(
      "", [](const auto& one) { return one.images_per_second; }, true);
  panels.end_with_rate();
  return panels.finish(caption_of(history, config));
}

}  // namespace nowhere
