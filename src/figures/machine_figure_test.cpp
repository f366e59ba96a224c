#include "figures/machine_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

MachineInterval interval_of(double seconds, double waiting) {
  return {
      .time = {.waiting = waiting * seconds, .device = (1 - waiting) * seconds, .reading = waiting * seconds},
      .images_per_second = 100,
      .cpu_share = 0.5,
      .machine_cpu_share = 0.6,
      .disk_read_bytes_per_second = 2e6,
      .disk_busy_share = 0.9,
      .accelerator_use_shares = {}};
}

const Plot* find(const std::vector<Plot>& plots, const std::string& title) {
  for (const Plot& plot : plots)
    if (plot.title.starts_with(title)) return &plot;
  return nullptr;
}

TEST(MachineFigure, ReadsLogPointsOnly) {
  const TestFolder folder;
  const auto file = folder.path() / "stats.jsonl";
  write_file(file,
             std::string_view(
                 R"({"images":8,"seconds":{"waiting":1,"device":3},"cpu_share":0.5,"disk_busy_share":0.25,)"
                 R"("accelerators":[{"name":"A","use_share":0.5},{"name":"B"}]})"
                 "\n"
                 R"({"images":8,"epoch_done":1,"epoch_seconds":{"waiting":1,"device":3}})"
                 "\n"
                 R"({"images":16,"seconds":{"waiting":null},"cpu_share":0.5})"
                 "\n"
                 R"({"images":16,"seconds":{"device":2},"cpu_share":null,"accelerators":[3]})"
                 "\n"
                 R"({"images":24,"seco)"));
  const MachineHistory history = read_machine_history(file);
  ASSERT_EQ(history.intervals.size(), 2u);
  EXPECT_EQ(history.intervals[0].time.total(), 4);
  EXPECT_EQ(history.intervals[0].disk_busy_share, 0.25);
  EXPECT_EQ(history.intervals[0].accelerator_use_shares, (std::vector<double>{0.5, 0}));
  EXPECT_FALSE(history.intervals[0].images_per_second);
  EXPECT_FALSE(history.intervals[1].cpu_share);
  EXPECT_EQ(history.accelerators, (std::vector<std::string>{"A", "B"}));
}

TEST(MachineFigure, TimeIsThatOfTraining) {
  MachineHistory history;
  for (int i = 0; i < 4; ++i) history.intervals.push_back(interval_of(120, 0.75));
  const auto plots = machine_plots(history, {{"dataroot", "/data/streets"}});
  const Plot* waiting = find(plots, "Time waiting for data");
  ASSERT_NE(waiting, nullptr);
  EXPECT_EQ(waiting->series[0].x, (std::vector<double>{0, 2, 2, 4, 4, 6, 6, 8}));  // minutes
  EXPECT_EQ(waiting->series[0].y, std::vector<double>(8, 75));
  EXPECT_EQ(plots.back().x_label, "minutes of training");
  for (const Plot& plot : plots) EXPECT_EQ(plot.x_range->high, 8) << plot.title;
  EXPECT_EQ(find(plots, "Disk reads")->series[0].y[0], 2);
  EXPECT_EQ(find(plots, "Disk that holds")->series[0].y[0], 90);
  EXPECT_EQ(find(plots, "Accelerator"), nullptr);
  EXPECT_TRUE(plots.back().caption.starts_with("Bottleneck: 75% waiting for the disk: pack the data"))
      << plots.back().caption;
}

TEST(MachineFigure, WhatNobodyMeasuredHasNoPanel) {
  MachineHistory history;
  history.intervals.push_back(interval_of(1, 0));
  history.intervals[0].disk_busy_share.reset();
  history.intervals[0].accelerator_use_shares = {0.3, 0.4};
  history.accelerators = {"One", "Two"};
  const auto plots = machine_plots(history, {{"dataroot", "a.nwp"}, {"device", "auto"}});
  EXPECT_EQ(find(plots, "Disk that holds"), nullptr);
  ASSERT_NE(find(plots, "Accelerator"), nullptr);
  EXPECT_EQ(find(plots, "Accelerator")->series[1].name, "1: Two");
  EXPECT_EQ(find(plots, "Accelerator")->series[1].y, (std::vector<double>{40, 40}));
  EXPECT_NE(plots.back().caption.find("the accelerator is the limit"), std::string::npos);
  const auto on_cpu = machine_plots(history, {{"device", "cpu"}});
  EXPECT_NE(on_cpu.back().caption.find("the CPU is the limit"), std::string::npos);
}

TEST(MachineFigure, AnyNumberOfPointsIsDrawn) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{100'000}}) {
    MachineHistory history;
    for (size_t i = 0; i < count; ++i) history.intervals.push_back(interval_of(2, i < count / 2 ? 0.0 : 1.0));
    const auto plots = machine_plots(history, {});
    EXPECT_GE(plots.size(), 3u);
    if (gnuplot_version()) {
      EXPECT_GT(render_plots(plots).size(), 1000u);
    }
    EXPECT_EQ(plots.back().caption.empty(), count == 0);
    if (count <= 1) continue;
    const Series& curve = find(plots, "Time waiting for data")->series.back();
    EXPECT_LE(curve.x.size(), 480u);
    EXPECT_EQ(*std::min_element(curve.y.begin(), curve.y.end()), 0);
    EXPECT_EQ(*std::max_element(curve.y.begin(), curve.y.end()), 100);
    EXPECT_EQ(plots.back().x_label, "hours of training");
  }
}

}  // namespace
}  // namespace nowhere
