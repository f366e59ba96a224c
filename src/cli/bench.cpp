#include <fmt/core.h>

#include "cli/bench_animation.h"
#include "cli/bench_scan.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/loading.h"
#include "core/proc.h"
#include "core/signals.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "eval/parzen_bench.h"
#include "train/step_bench.h"

namespace nowhere {
namespace {

class Bench : public Command {
 public:
  Bench() {
    positionals_ = {
        {"WHAT", "loader, scan, step, parzen (the likelihood of 1,000 pictures) or animation (GIF and WebP)",
         &what_},
        {"DATA", "loader, scan: a folder of photographs or packed files; animation: a folder of frames",
         &data_,
         /*required=*/false}};
    options_.number("seconds", seconds_, 0.1, 3600, "how long to measure, after warming up");
    options_.text("preset", preset_, "NAME", "for step: the preset to train");
    options_.choice("pixels", loading_.loader.pixels,
                    {{"float", PixelType::kFloat}, {"byte", PixelType::kByte}},
                    "floats in [-1, 1], or bytes");
    options_.text("output", output_, "DIR", "for animation: a folder for the files; without: not written");
    options_.integer("photos", photos_, 1, int64_t{1} << 32,
                     "for scan, without DATA: the order of so many photographs that nobody has");
    options_.integer("ranks", ranks_, 1, 1'000'000, "for scan with --photos: on how many ranks");
    options_.flag("json", json_, "print the figures as JSON");
    loading_.declare(options_);
  }

  std::string name() const override { return "bench"; }
  std::string summary() const override {
    return "how fast this machine is: loader, scan, step, parzen, animation";
  }
  std::string example() const override { return "nowhere bench loader streets.nwp --size 64"; }

  int run() override {
    if (what_ == "step") return step();
    if (what_ == "parzen") return parzen();
    if (what_ != "loader" && what_ != "scan" && what_ != "animation")
      throw usage_error(fmt::format(
          "there is no benchmark '{}'; give loader, scan, step, parzen or animation", printable_text(what_)));
    const bool generated = what_ == "scan" && photos_ > 0;
    if (data_.empty() != generated)
      throw usage_error(fmt::format("bench {} needs DATA: a folder or packed files{}", what_,
                                    what_ == "scan" ? "; or --photos, and no DATA" : ""));
    if (what_ == "animation") return print(bench_animation(data_, output_)), 0;
    return what_ == "loader" ? loader() : scan();
  }

 private:
  int loader() {
    const auto source = open_source(data_, stop_requested);
    const Selection all = select_with_progress(*source, {}, loading_.loader.threads);
    Loader loader(*source, loading_.sampler(*source, all.photos), loading_.loader, {loading_.seed, 0, 0});
    loader.next();
    const Stopwatch watch;
    int64_t images = 0;
    while (watch.seconds() < seconds_ && !stop_requested())
      images += static_cast<int64_t>(loader.next()->count);
    if (stop_requested()) return stopped_exit_code();
    const double rate = static_cast<double>(images) / watch.seconds();
    const LoaderCounts counts = loader.counts();
    if (json_) {
      print({{"images_per_second", rate},
             {"threads", loading_.loader.threads},
             {"waiting_seconds", counts.wait_seconds},
             {"replaced", counts.replaced}});
      return 0;
    }
    const double busy = counts.read_seconds + counts.decode_seconds + counts.resize_seconds;
    fmt::print("{} images/s ({:.1f} million/hour) on {}, batches of {} at {} px\n",
               with_commas(static_cast<int64_t>(rate)), rate * 3600 / 1e6,
               counted(loading_.loader.threads, "thread"), loading_.loader.batch,
               loading_.loader.sample.size);
    fmt::print("{:.0f}% of the work is reading, {:.0f}% decoding, {:.0f}% crop and resize\n",
               100 * counts.read_seconds / busy, 100 * counts.decode_seconds / busy,
               100 * counts.resize_seconds / busy);
    return 0;
  }

  int scan() {
    if (photos_ > 0) {
      const OrderBench bench = bench_order(photos_, ranks_, loading_);
      json_ ? print(bench.to_json()) : fmt::print("{}", bench.text());
      return bench.disjoint ? 0 : static_cast<int>(Exit::kFailed);
    }
    const ScanBench bench = bench_scan(data_, loading_);
    json_ ? print(bench.to_json()) : fmt::print("{}", bench.text());
    return 0;
  }

  int step() {
    TrainConfig config = train_preset(preset_);
    config.batch_size = loading_.loader.batch;
    config.threads = loading_.loader.threads;
    config.check();
    const StepBench bench = bench_step(config, seconds_);
    if (json_)
      print({{"images_per_second", bench.images_per_second},
             {"peak_bytes", bench.peak_bytes},
             {"bytes_at_start", bench.bytes_at_start}});
    else
      fmt::print("{:.0f} images/s ({:.2f} million/hour), {} on {}, batches of {}, peak memory {}\n",
                 bench.images_per_second, bench.images_per_second * 3600 / 1e6, preset_,
                 counted(config.threads, "thread"), config.batch_size, human_bytes(bench.peak_bytes));
    return 0;
  }

  int parzen() {
    constexpr int64_t kCentres = 10'000, kPoints = 1'000;
    const ParzenBench bench =
        bench_parzen(kCentres, kPoints, loading_.loader.sample.size, loading_.loader.threads);
    print({{"seconds", bench.seconds}, {"mean", bench.mean}, {"peak_bytes", process_memory().peak}});
    return 0;
  }

  static void print(const boost::json::object& figures) {
    fmt::print("{}\n", boost::json::serialize(figures));
  }

  std::string what_, data_, output_, preset_ = "naive-64";
  double seconds_ = 5;
  int64_t photos_ = 0;
  int ranks_ = 1;
  bool json_ = false;
  LoadingOptions loading_;
};

}  // namespace

std::unique_ptr<Command> bench_command() {
  return std::make_unique<Bench>();
}

}  // namespace nowhere
