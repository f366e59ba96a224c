#include "cli/bench_loader.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "cli/common.h"
#include "core/error.h"
#include "core/signals.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "data/synth/synth.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// A folder that is removed with what is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "nowhere-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(
          fmt::format("cannot make a folder below {}; set TMPDIR", fs::temp_directory_path().string()));
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

LoaderBench bench_loader(const std::string& data, const LoadingOptions& loading, double seconds) {
  const auto source = open_source(data, stop_requested);
  const Selection all = select_with_progress(*source, {}, loading.loader.threads);
  Loader loader(*source, loading.sampler(*source, all.photos), loading.loader, {loading.seed, 0, 0});
  loader.next();
  const Stopwatch watch;
  int64_t images = 0;
  while (watch.seconds() < seconds && !stop_requested()) images += static_cast<int64_t>(loader.next()->count);
  if (stop_requested()) throw Stopped();
  return {static_cast<double>(images) / watch.seconds(), loading.loader, loader.counts()};
}

LoaderBench bench_loader_on_drawn(const LoadingOptions& loading, double seconds) {
  const ScratchFolder folder;
  SynthConfig config{.directory = folder.path(), .images = loading.loader.batch, .cities = 1};
  config.threads = loading.loader.threads;
  draw_dataset(
      config, [](int) {}, stop_requested);
  if (stop_requested()) throw Stopped();
  return bench_loader(folder.path().string(), loading, seconds);
}

boost::json::object LoaderBench::to_json(const HourlyPrice& price) const {
  boost::json::object json = throughput_json(images_per_second, price);
  json["threads"] = config.threads;
  json["batch"] = config.batch;
  json["size"] = config.sample.size;
  json["waiting_seconds"] = counts.wait_seconds;
  json["replaced"] = counts.replaced;
  return json;
}

std::string LoaderBench::text(const HourlyPrice& price) const {
  const double busy = counts.read_seconds + counts.decode_seconds + counts.resize_seconds;
  return fmt::format("{} images/s ({:.1f} million/hour) on {}, batches of {} at {} px{}\n",
                     with_commas(static_cast<int64_t>(images_per_second)), images_per_second * 3600 / 1e6,
                     counted(config.threads, "thread"), config.batch, config.sample.size,
                     cost_text(images_per_second, price)) +
         fmt::format("{:.0f}% of the work is reading, {:.0f}% decoding, {:.0f}% crop and resize\n",
                     100 * counts.read_seconds / busy, 100 * counts.decode_seconds / busy,
                     100 * counts.resize_seconds / busy);
}

Throughput LoaderBench::throughput() const {
  return {"loader", images_per_second,
          fmt::format("{}, {} px", counted(config.threads, "thread"), config.sample.size)};
}

}  // namespace nowhere
