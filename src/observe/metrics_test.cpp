#include "observe/metrics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/error.h"

namespace nowhere {
namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, GaugesKeepTheLastValue) {
  Metrics metrics;
  metrics.set("nowhere_loss", "Loss of a network.", 1.5, {{"network", "d"}});
  metrics.set("nowhere_loss", "Loss of a network.", 0.25, {{"network", "d"}});
  metrics.set("nowhere_loss", "Loss of a network.", 3, {{"network", "g"}});
  const std::string text = metrics.text();
  EXPECT_TRUE(has_line(text, "# HELP nowhere_loss Loss of a network.")) << text;
  EXPECT_TRUE(has_line(text, "# TYPE nowhere_loss gauge")) << text;
  EXPECT_TRUE(has_line(text, "nowhere_loss{network=\"d\"} 0.25")) << text;
  EXPECT_TRUE(has_line(text, "nowhere_loss{network=\"g\"} 3")) << text;
}

TEST(Metrics, CountersAddUp) {
  Metrics metrics;
  metrics.add("nowhere_images_total", "Images seen.", 64);
  metrics.add("nowhere_images_total", "Images seen.", 64);
  metrics.add("nowhere_images_total", "Images seen.", -1);  // a counter cannot decrease
  EXPECT_TRUE(has_line(metrics.text(), "# TYPE nowhere_images_total counter")) << metrics.text();
  EXPECT_TRUE(has_line(metrics.text(), "nowhere_images_total 128")) << metrics.text();
}

TEST(Metrics, HistogramsCountByBucket) {
  Metrics metrics;
  for (const double seconds : {0.05, 0.5, 0.7, 5.0})
    metrics.observe("nowhere_step_seconds", "Time of a step.", seconds, {0.1, 1});
  const std::string text = metrics.text();
  EXPECT_TRUE(has_line(text, "nowhere_step_seconds_bucket{le=\"0.1\"} 1")) << text;
  EXPECT_TRUE(has_line(text, "nowhere_step_seconds_bucket{le=\"1\"} 3")) << text;
  EXPECT_TRUE(has_line(text, "nowhere_step_seconds_bucket{le=\"+Inf\"} 4")) << text;
  EXPECT_TRUE(has_line(text, "nowhere_step_seconds_count 4")) << text;
}

TEST(Metrics, LabelsAreEscaped) {
  Metrics metrics;
  metrics.set("nowhere_info", "Build.", 1, {{"device", "a \"b\"\nc\\"}});
  EXPECT_TRUE(has_line(metrics.text(), "nowhere_info{device=\"a \\\"b\\\"\\nc\\\\\"} 1")) << metrics.text();
}

TEST(Metrics, BadNamesAreErrors) {
  Metrics metrics;
  EXPECT_THROW(metrics.set("nowhere loss", "", 1), Error);
  EXPECT_THROW(metrics.set("nowhere_loss", "", 1, {{"a-b", "x"}}), Error);
  metrics.set("nowhere_loss", "", 1);
  EXPECT_THROW(metrics.add("nowhere_loss", "", 1), Error);
}

TEST(Metrics, ThreadsMayShareIt) {
  Metrics metrics;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&metrics] {
        for (int i = 0; i < 100; ++i) {
          metrics.add("nowhere_steps_total", "Steps.", 1);
          metrics.observe("nowhere_step_seconds", "Time of a step.", 0.5, {1});
          metrics.text();
        }
      });
  }
  EXPECT_TRUE(has_line(metrics.text(), "nowhere_steps_total 400")) << metrics.text();
  EXPECT_TRUE(has_line(metrics.text(), "nowhere_step_seconds_count 400")) << metrics.text();
}

}  // namespace
}  // namespace nowhere
