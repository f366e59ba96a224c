#include "serve/run_curves.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <boost/json.hpp>
#include <fstream>

#include "core/descriptor.h"
#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class RunCurvesTest : public testing::Test {
 protected:
  static std::string line(int images, double loss = 0.5) {
    return "{\"images\":" + std::to_string(images) + ",\"D_loss\":" + std::to_string(loss) +
           ",\"G_loss\":1.5,\"D_X\":0.25,\"D_G_z1\":null,\"images_per_second\":12.5,\"other\":[1]}\n";
  }
  void append(const std::string& text) { std::ofstream(stats_, std::ios::app) << text; }
  boost::json::object ask() { return boost::json::parse(curves_.json()).as_object(); }
  boost::json::array points() { return ask()["points"].as_array(); }
  // As if nothing had been written for an hour.
  void age() { fs::last_write_time(stats_, fs::file_time_type::clock::now() - std::chrono::hours(1)); }

  TestFolder folder_;
  const fs::path stats_ = folder_.path() / "stats.jsonl";
  RunCurves curves_{folder_.path()};
};

TEST_F(RunCurvesTest, WithoutARunThereAreNoPoints) {
  EXPECT_EQ(RunCurves("").json(), "{\"training\":false,\"points\":[]}");
  EXPECT_EQ(curves_.json(), "{\"training\":false,\"points\":[]}");
}

TEST_F(RunCurvesTest, PointsAppearAsTheFileGrows) {
  append(line(32) + "{\"images\":40,\"epoch_seconds\":3}\nnot json\n" + line(64));
  ASSERT_EQ(points().size(), 2u);
  append("{\"images\":96,\"D_lo");
  EXPECT_EQ(points().size(), 2u);
  append("ss\":1,\"images_per_second\":2}\n");
  const auto now = points();
  ASSERT_EQ(now.size(), 3u);
  EXPECT_EQ(boost::json::serialize(now[0]),
            "{\"images\":32,\"D_loss\":5E-1,\"G_loss\":1.5E0,\"D_X\":2.5E-1,\"D_G_z1\":null,\"images_per_"
            "second\":1.25E1}");
  EXPECT_EQ(now[2].at("images"), 96);
  EXPECT_TRUE(now[2].at("G_loss").is_null());
}

TEST_F(RunCurvesTest, TheMachineIsShownBesideThem) {
  append(R"({"images":32,"D_loss":1,"time":1000,"cpu_share":0.5,"bottleneck":"the CPU"})"
         "\n"
         R"({"images":32,"time":1001,"epoch_seconds":3,"cpu_share":0.75})"
         "\n");
  EXPECT_EQ(boost::json::serialize(ask()["machine"]),
            R"({"points":[{"time":1E3,"cpu_share":5E-1}],"bottleneck":"the CPU"})");
  append(R"({"images":64,"D_loss":1,"time":1002})"
         "\n");
  EXPECT_EQ(ask()["machine"].at("points").as_array().size(), 2u);
  write_file(stats_, line(32));
  EXPECT_FALSE(ask().contains("machine"));
}

TEST_F(RunCurvesTest, ANewFileIsReadFromItsStart) {
  append(line(32) + line(64) + line(96));
  EXPECT_EQ(points().size(), 3u);
  write_file(stats_, line(32));
  EXPECT_EQ(points().size(), 1u);
  write_file(stats_, line(32) + line(64) + line(96) + line(128));  // longer, but another file
  EXPECT_EQ(points().size(), 4u);
  fs::remove(stats_);
  EXPECT_EQ(points().size(), 0u);
}

TEST_F(RunCurvesTest, LongRunsAreThinned) {
  for (const int count : {1, 399, 400, 401, 1999, 2000, 2001, 25'000}) {
    fs::remove(stats_);
    std::string text;
    for (int i = 1; i <= count; ++i) text += line(i * 32);
    append(text);
    const auto shown = points();
    EXPECT_LE(shown.size(), 400u) << count;
    EXPECT_GE(shown.size(), static_cast<size_t>(std::min(count, 100))) << count;
    EXPECT_EQ(shown[0].at("images"), 32);
    EXPECT_EQ(shown[shown.size() - 1].at("images"), count * 32);
  }
}

TEST_F(RunCurvesTest, TrainingIsDetectedByGrowthOrByTheLock) {
  append(line(32));
  EXPECT_EQ(ask()["training"], true);
  age();
  EXPECT_EQ(ask()["training"], false);
  const fs::path file = folder_.path() / "lock";
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  EXPECT_FALSE(is_locked(file));
  ASSERT_EQ(::flock(lock.number(), LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(is_locked(file));
  EXPECT_EQ(ask()["training"], true);
  lock.close();
  EXPECT_EQ(ask()["training"], false);
}

}  // namespace
}  // namespace nowhere
