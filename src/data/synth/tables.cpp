#include "data/synth/tables.h"

#include <fmt/format.h>

#include <numbers>

namespace nowhere::synth {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMetresPerDegree = 111'319.49;  // of latitude

// Where a frame was taken: metres east and north of the city's centre, and where the camera looked.
struct Fix {
  double east = 0;
  double north = 0;
  double compass = 0;  // degrees clockwise from north
};

// The heading turns with the bend, so the way is an arc; frames lie `step` metres apart along it.
Fix fix_of(const Drive& drive, int frame) {
  Fix fix{drive.start_east, drive.start_north, 0};
  const double turn = static_cast<double>(drive.bend) * drive.step;
  double heading = drive.heading;
  for (int i = 0; i < frame; ++i, heading += turn) {
    fix.east += drive.step * std::sin(heading);
    fix.north += drive.step * std::cos(heading);
  }
  double look = heading;
  if (drive.view == View::kBackward) look += kPi;
  if (drive.view == View::kSideways) look += drive.yaw > 0 ? 0.5 * kPi : -0.5 * kPi;
  fix.compass = std::fmod(look * 180.0 / kPi + 720.0, 360.0);
  return fix;
}

const char* python(bool value) {
  return value ? "True" : "False";
}

// MSLS clusters places: here, squares of 20 m.
std::string cluster(const Fix& fix) {
  return fmt::format("{}_{}", static_cast<int>(std::floor(fix.east / 20.0)),
                     static_cast<int>(std::floor(fix.north / 20.0)));
}

// A projected grid like UTM: the city's centre lies inside its zone, east 500 km is the middle.
double grid_north(const CityStyle& city) {
  const double north = city.latitude * 110'574.0;
  return north < 0 ? north + 10'000'000.0 : north;
}

std::string subtasks(const Drive& drive) {
  const bool night = drive.hour == Hour::kNight;
  const bool winter = drive.weather == Weather::kSnow;
  const bool old = drive.captured_at < 1'470'000'000'000;  // August 2016
  // "d2n" asks by day and looks in the night: a query of the day, or a database picture of the night.
  const auto task = [&](bool from, bool to) { return python(drive.query ? from : to); };
  return fmt::format("True,{},{},{},{},{},{}", task(!winter, winter), task(winter, !winter), task(old, !old),
                     task(!old, old), task(!night, night), task(night, !night));
}

}  // namespace

Tables make_tables(const CityStyle& city, const std::vector<Shot>& shots) {
  Tables tables;
  tables.seq_info = ",key,sequence_key,frame_number\n";
  tables.raw = ",key,lon,lat,ca,captured_at,pano\n";
  tables.postprocessed = ",key,easting,northing,night,control_panel,view_direction,unique_cluster\n";
  tables.subtask_index = ",all,s2w,w2s,o2n,n2o,d2n,n2d\n";
  for (size_t i = 0; i < shots.size(); ++i) {
    const Drive& drive = *shots[i].drive;
    const int frame = shots[i].frame;
    const std::string key = frame_key(drive, frame);
    const Fix fix = fix_of(drive, frame);
    const double latitude = city.latitude + fix.north / kMetresPerDegree;
    const double longitude =
        city.longitude + fix.east / (kMetresPerDegree * std::cos(city.latitude * kPi / 180.0));
    tables.seq_info += fmt::format("{},{},{},{}\n", i, key, frame_key(drive, -1), frame);
    tables.raw += fmt::format("{},{},{:.8f},{:.8f},{:.3f},{},False\n", i, key, longitude, latitude,
                              fix.compass, drive.captured_at + 500LL * frame);
    tables.postprocessed += fmt::format("{},{},{:.3f},{:.3f},{},{},{},{}\n", i, key, 500'000.0 + fix.east,
                                        grid_north(city) + fix.north, python(drive.hour == Hour::kNight),
                                        python(drive.panel), name_of(drive.view), cluster(fix));
    tables.subtask_index += fmt::format("{},{}\n", i, subtasks(drive));
  }
  return tables;
}

}  // namespace nowhere::synth
