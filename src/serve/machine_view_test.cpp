#include "serve/machine_view.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

namespace json = boost::json;

class MachineViewTest : public testing::Test {
 protected:
  void add(const char* line) { view_.add(json::parse(line).as_object()); }
  json::object shown() { return json::parse(view_.json()).as_object(); }
  json::array points() { return shown().at("points").as_array(); }
  static std::vector<std::string> names(const json::object& object) {
    std::vector<std::string> found;
    for (const auto& member : object) found.emplace_back(member.key());
    return found;
  }

  MachineView view_;
};

TEST_F(MachineViewTest, ShowsWhatALineHolds) {
  EXPECT_EQ(view_.json(), "");
  add(R"({"images":64,"time":1700000000,"images_per_second":123.456,"cpu_share":0.5,"machine_cpu_share":0.75,
          "disk_read_bytes_per_second":12345678,"disk_busy_share":0.125,
          "seconds":{"waiting":1,"device":6,"checkpoint":0.5,"other":0.5,"reading":9,
                     "decoding":9,"resizing":9},
          "accelerators":[{"name":"A","use_share":0.9,"memory_bytes":5}],
          "bottleneck":"13% waiting for the disk: pack the data"})");
  const json::object point = points().at(0).as_object();
  const std::pair<const char*, double> figures[] = {{"time", 1700000000},
                                                    {"images_per_second", 123.5},
                                                    {"cpu_share", 0.5},
                                                    {"machine_cpu_share", 0.75},
                                                    {"disk_read_bytes_per_second", 12350000},
                                                    {"disk_busy_share", 0.125},
                                                    {"device_share", 0.75},
                                                    {"waiting_share", 0.125},
                                                    {"accelerator_share", 0.9}};
  for (const auto& [name, value] : figures) EXPECT_DOUBLE_EQ(point.at(name).as_double(), value) << name;
  EXPECT_EQ(point.size(), std::size(figures));
  EXPECT_NE(view_.json().find(R"("images_per_second":1.235E2,)"), std::string::npos) << view_.json();
  EXPECT_EQ(shown().at("accelerators"), json::parse(R"(["A"])"));
  EXPECT_EQ(shown().at("bottleneck"), "13% waiting for the disk: pack the data");
}

TEST_F(MachineViewTest, LeavesOutWhatALineLacks) {
  add(R"({"images":32,"D_loss":1})");
  EXPECT_EQ(view_.json(), "");  // without a time it has no place
  add(R"({"time":5,"images_per_second":null,"cpu_share":"high","seconds":{"waiting":0,"device":0},
          "accelerators":[],"bottleneck":7})");
  EXPECT_EQ(names(points().at(0).as_object()), std::vector<std::string>{"time"});
  EXPECT_EQ(names(shown()), std::vector<std::string>{"points"});
}

TEST_F(MachineViewTest, OneIdleAcceleratorAmongManyShows) {
  add(R"({"time":5,"accelerators":[{"name":"A","use_share":1},{"name":"A","use_share":0.2}]})");
  EXPECT_DOUBLE_EQ(points().at(0).at("accelerator_share").as_double(), 0.6);
  EXPECT_DOUBLE_EQ(points().at(0).at("idlest_accelerator_share").as_double(), 0.2);
  EXPECT_EQ(shown().at("accelerators"), json::parse(R"(["A","A"])"));
  add(R"({"time":6,"accelerators":[{"name":"A","use_share":1},{"name":"A"}]})");
  EXPECT_FALSE(points().at(1).as_object().contains("accelerator_share"));
}

TEST_F(MachineViewTest, KeepsTheNewest) {
  for (int i = 0; i < 1000; ++i) add((R"({"time":)" + std::to_string(i) + "}").c_str());
  EXPECT_EQ(points().size(), 240u);
  EXPECT_EQ(points().at(0).at("time").as_double(), 760);
  EXPECT_EQ(points().at(239).at("time").as_double(), 999);
}

TEST_F(MachineViewTest, BeginsAnewWithTheRun) {
  add(R"({"time":1000,"bottleneck":"old","accelerators":[{"name":"A","use_share":1}]})");
  add(R"({"time":1900})");
  EXPECT_EQ(points().size(), 2u);
  EXPECT_EQ(shown().at("bottleneck"), "old");
  add(R"({"time":2801})");  // after a pause of a quarter of an hour
  EXPECT_EQ(points().size(), 1u);
  EXPECT_EQ(names(shown()), std::vector<std::string>{"points"});
  add(R"({"time":2802})");
  add(R"({"time":2000})");  // the clock was set back
  EXPECT_EQ(points().size(), 1u);
}

}  // namespace
}  // namespace nowhere
