#include "data/synth/synth.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/error.h"
#include "data/synth/frame.h"
#include "data/synth/plan.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;
using namespace synth;

// A folder of this test's own, gone at its end.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(fs::temp_directory_path() / ("nowhere-synth-" + name + "-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

SynthSummary draw(const fs::path& directory, int images, int cities, int threads = 2, uint64_t seed = 5) {
  return draw_dataset(
      {directory, images, cities, seed, threads}, [](int) {}, [] { return false; });
}

std::map<std::string, std::string> all_files(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[fs::relative(entry.path(), directory).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

using Rows = std::vector<std::vector<std::string>>;

Rows read_csv(const fs::path& path) {
  std::ifstream in(path);
  Rows rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

double brightness(const Image& image) {
  double sum = 0;
  for (const uint8_t value : image.pixels) sum += value;
  return sum / static_cast<double>(image.pixels.size());
}

double difference(const Image& a, const Image& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
  return sum / static_cast<double>(a.pixels.size());
}

Drive fair_drive(const CityStyle& city, int index) {
  Drive drive = make_drive(city, index, 20, false);
  drive.view = View::kForward;
  drive.weather = Weather::kClear;
  drive.hour = Hour::kDay;
  drive.step = 1.0f;
  return drive;
}

TEST(Synth, SameFrameTwiceIsTheSamePicture) {
  const CityStyle city = make_city(1, 0);
  const Drive drive = fair_drive(city, 0);
  const Image image = draw_frame(city, drive, 3);
  EXPECT_EQ(image.width, 640);
  EXPECT_EQ(image.height, 480);
  EXPECT_EQ(image.pixels, draw_frame(city, drive, 3).pixels);
}

TEST(Synth, NeighbouringFramesResembleEachOther) {
  const CityStyle city = make_city(1, 1);
  const Drive drive = fair_drive(city, 0);
  const Image first = draw_frame(city, drive, 4);
  const Image second = draw_frame(city, drive, 5);
  const Image other = draw_frame(make_city(1, 2), fair_drive(make_city(1, 2), 1), 4);
  EXPECT_GT(difference(first, second), 0.5);
  EXPECT_LT(difference(first, second), difference(first, other));
}

TEST(Synth, NightIsDarkerThanDay) {
  for (int c = 0; c < 4; ++c) {
    const CityStyle city = make_city(2, c);
    Drive drive = fair_drive(city, 0);
    const double day = brightness(draw_frame(city, drive, 0));
    drive.hour = Hour::kNight;
    EXPECT_LT(brightness(draw_frame(city, drive, 0)), 0.7 * day) << city.name;
  }
}

TEST(Synth, EveryLightAndViewIsAPicture) {
  const Textures textures(3);
  Canvas canvas;
  for (int i = 0; i < 24; ++i) {
    const CityStyle city = make_city(3, i % 8);
    Drive drive = make_drive(city, i, 20, false);
    drive.hour = static_cast<Hour>(i % 4);
    drive.weather = static_cast<Weather>(i % 6);
    drive.view = static_cast<View>(i % 3);
    const double mean = brightness(draw_frame(Scene(textures, city, drive), 19, canvas));
    EXPECT_GT(mean, 8) << i;
    EXPECT_LT(mean, 235) << i;
  }
}

TEST(Synth, PlanHasExactlyTheImages) {
  for (const int images : {1, 2, 3, 7, 40, 999}) {
    for (const int cities : {1, 3, 8}) {
      int frames = 0;
      const auto plan = plan_dataset(9, images, cities);
      for (const CityPlan& city : plan) {
        for (const Drive& drive : city.drives) {
          frames += drive.frames;
          EXPECT_GE(drive.frames, 1);
          EXPECT_LE(drive.frames, 40);
        }
      }
      EXPECT_EQ(frames, images);
      EXPECT_EQ(static_cast<int>(plan.size()), std::min(images, cities));
    }
  }
}

TEST(Synth, PlaceNamesDiffer) {
  const auto names = place_names(4, 3000);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 3000u);
  for (const std::string& name : names) {
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos) << name;
  }
  EXPECT_EQ(make_city(4, 7).name, names[7]);
}

TEST(Synth, LayoutIsThatOfMsls) {
  const Folder folder("layout");
  const SynthSummary summary = draw(folder.path(), 24, 2);
  EXPECT_EQ(summary.images, 24);
  EXPECT_EQ(summary.cities, 2);
  EXPECT_EQ(summary.sequences, 8);
  int rows = 0;
  for (const auto& city : fs::directory_iterator(folder.path() / "train_val")) {
    for (const std::string half : {"query", "database"}) {
      const fs::path at = city.path() / half;
      const Rows sequences = read_csv(at / "seq_info.csv");
      const Rows raw = read_csv(at / "raw.csv");
      const Rows post = read_csv(at / "postprocessed.csv");
      EXPECT_EQ(sequences.size(), raw.size());
      EXPECT_EQ(sequences.size(), post.size());
      EXPECT_EQ(sequences.size(), read_csv(at / "subtask_index.csv").size());
      ASSERT_GT(sequences.size(), 1u);
      for (size_t i = 1; i < sequences.size(); ++i, ++rows) {
        EXPECT_EQ(sequences[i][0], std::to_string(i - 1));
        EXPECT_EQ(sequences[i][1].size(), 22u);
        EXPECT_EQ(sequences[i][1], raw[i][1]);
        EXPECT_EQ(sequences[i][1], post[i][1]);
        EXPECT_TRUE(fs::exists(at / "images" / (sequences[i][1] + ".jpg")));
        EXPECT_TRUE(post[i][4] == "True" || post[i][4] == "False");
      }
    }
  }
  EXPECT_EQ(rows, 24);
  EXPECT_EQ(all_files(folder.path()).size(), 24u + 4 * 4 + 1);
}

TEST(Synth, CoordinatesMoveByTheStep) {
  const Folder folder("steps");
  draw(folder.path(), 30, 1);
  const CityPlan city = plan_dataset(5, 30, 1).front();
  std::map<std::string, float> steps;
  for (const Drive& drive : city.drives) steps[frame_key(drive, -1)] = drive.step;
  const fs::path at = folder.path() / "train_val" / city.style.name / "database";
  const Rows sequences = read_csv(at / "seq_info.csv");
  const Rows post = read_csv(at / "postprocessed.csv");
  int moves = 0;
  for (size_t i = 2; i < post.size(); ++i) {
    if (sequences[i][2] != sequences[i - 1][2]) continue;
    const double east = std::stod(post[i][2]) - std::stod(post[i - 1][2]);
    const double north = std::stod(post[i][3]) - std::stod(post[i - 1][3]);
    EXPECT_NEAR(std::hypot(east, north), steps.at(sequences[i][2]), 0.01);
    ++moves;
  }
  EXPECT_GT(moves, 10);
}

TEST(Synth, ThreadsDoNotMatterButTheSeedDoes) {
  const Folder one("one");
  const Folder three("three");
  const Folder other("other");
  draw(one.path(), 14, 2, 1);
  draw(three.path(), 14, 2, 3);
  draw(other.path(), 14, 2, 3, 6);
  EXPECT_EQ(all_files(one.path()), all_files(three.path()));
  EXPECT_NE(all_files(one.path()), all_files(other.path()));
}

TEST(Synth, StopsEarlyWithWhatWasDone) {
  const Folder folder("stop");
  std::atomic<int> done = 0;
  const SynthSummary summary = draw_dataset(
      {folder.path(), 60, 1, 5, 1}, [&](int n) { done += n; }, [&] { return done >= 5; });
  EXPECT_EQ(summary.images, 5);
  EXPECT_EQ(summary.sequences, 1);
}

TEST(Synth, RefusesAnEmptySet) {
  EXPECT_THROW(draw("/nonexistent", 0, 1), Error);
  EXPECT_THROW(draw("/nonexistent", 1, 0), Error);
}

}  // namespace
}  // namespace nowhere
