#include "data/synth/synth.h"

#include <fmt/core.h>

#include <boost/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "data/synth/frame.h"
#include "data/synth/plan.h"
#include "data/synth/tables.h"
#include "image/jpeg.h"

namespace nowhere {
namespace {

using namespace synth;

constexpr int kQuality = 85;
constexpr int kFramesPerTask = 8;  // small enough to share out, large enough to pay for its street

// Some consecutive frames of one drive: what one thread draws at a time.
struct Task {
  const CityPlan* city = nullptr;
  const Drive* drive = nullptr;
  int begin = 0;
  int end = 0;
  int done = 0;  // frames written, from `begin`; touched only by the thread that has the task
};

std::filesystem::path half_directory(const SynthConfig& config, const CityPlan& city, bool query) {
  return config.directory / "train_val" / city.style.name / (query ? "query" : "database");
}

std::vector<Task> share_out(const std::vector<CityPlan>& plan) {
  std::vector<Task> tasks;
  for (const CityPlan& city : plan) {
    for (const Drive& drive : city.drives) {
      for (int begin = 0; begin < drive.frames; begin += kFramesPerTask) {
        tasks.push_back({&city, &drive, begin, std::min(drive.frames, begin + kFramesPerTask), 0});
      }
    }
  }
  return tasks;
}

void draw_task(const SynthConfig& config, const Textures& textures, Task& task,
               const std::function<void(int)>& drawn, const std::function<bool()>& stop) {
  const Scene scene(textures, task.city->style, *task.drive);
  const std::filesystem::path images = half_directory(config, *task.city, task.drive->query) / "images";
  Canvas canvas;
  JpegEncoder encoder;
  for (int frame = task.begin; frame < task.end && !stop(); ++frame) {
    // Files are written whole, so one that is there was finished by a run that was stopped.
    const std::filesystem::path path = images / (frame_key(*task.drive, frame) + ".jpg");
    if (!std::filesystem::exists(path)) {
      const Image image = draw_frame(scene, frame, canvas);
      write_file(path, encoder.encode(image.view(), kQuality, Chroma::kHalf));
    }
    ++task.done;
    drawn(1);
  }
}

// Lists what was drawn of one half of a city. Returns the number of sequences in it.
int write_tables(const SynthConfig& config, const CityPlan& city, bool query,
                 const std::vector<Task>& tasks) {
  std::vector<Shot> shots;
  int sequences = 0;
  const Drive* last = nullptr;
  for (const Task& task : tasks) {
    if (task.city != &city || task.drive->query != query || task.done == 0) continue;
    for (int i = 0; i < task.done; ++i) shots.push_back({task.drive, task.begin + i});
    if (task.drive != last) ++sequences;
    last = task.drive;
  }
  if (shots.empty()) return 0;
  const Tables tables = make_tables(city.style, shots);
  const std::filesystem::path directory = half_directory(config, city, query);
  write_file(directory / "seq_info.csv", tables.seq_info);
  write_file(directory / "raw.csv", tables.raw);
  write_file(directory / "postprocessed.csv", tables.postprocessed);
  write_file(directory / "subtask_index.csv", tables.subtask_index);
  return sequences;
}

bool is_empty_or_missing(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_empty(folder, error) || error;
}

// Says in the folder which set it holds. A folder that holds another set, or anything that we did not draw,
// is left alone, since a mixture would be neither.
void claim_directory(const SynthConfig& config) {
  const std::filesystem::path marker = config.directory / "synth.json";
  const std::string text = boost::json::serialize(boost::json::object{
                               {"images", config.images}, {"cities", config.cities}, {"seed", config.seed}}) +
                           "\n";
  std::vector<uint8_t> bytes;
  const bool marked = read_file(marker, bytes).has_value();
  if (marked ? std::string(bytes.begin(), bytes.end()) != text : !is_empty_or_missing(config.directory))
    throw usage_error(fmt::format("{} holds another data set or other files; choose a new folder",
                                  printable(config.directory)));
  make_directories(config.directory);
  if (!marked) write_file(marker, text);
}

}  // namespace

SynthSummary draw_dataset(const SynthConfig& config, const std::function<void(int)>& drawn,
                          const std::function<bool()>& stop) {
  if (config.images < 1) throw usage_error("a set needs at least one picture: give --images 1 or more");
  if (config.cities < 1) throw usage_error("a set needs at least one city: give --cities 1 or more");
  claim_directory(config);
  const std::vector<CityPlan> plan = plan_dataset(config.seed, config.images, config.cities);
  for (const CityPlan& city : plan) {
    for (const Drive& drive : city.drives)
      make_directories(half_directory(config, city, drive.query) / "images");
  }
  const Textures textures(config.seed);
  std::vector<Task> tasks = share_out(plan);
  parallel_for(tasks.size(), config.threads,
               [&](size_t item) { draw_task(config, textures, tasks[item], drawn, stop); });
  SynthSummary summary;
  for (const CityPlan& city : plan) {
    const int sequences = write_tables(config, city, true, tasks) + write_tables(config, city, false, tasks);
    summary.sequences += sequences;
    if (sequences > 0) ++summary.cities;
  }
  for (const Task& task : tasks) summary.images += task.done;
  return summary;
}

}  // namespace nowhere
