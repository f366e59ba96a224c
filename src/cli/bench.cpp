#include <fmt/core.h>

#include <chrono>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/loading.h"
#include "core/signals.h"
#include "core/text.h"

namespace nowhere {
namespace {

class Bench : public Command {
 public:
  Bench() {
    positionals_ = {{"WHAT", "loader: batches as training gets them", &what_},
                    {"DATA", "a folder of photographs or a packed file", &data_}};
    options_.number("seconds", seconds_, 0.1, 3600, "how long to measure, after one warm-up batch");
    options_.choice("pixels", loading_.loader.pixels,
                    {{"float", PixelType::kFloat}, {"byte", PixelType::kByte}},
                    "floats in [-1, 1], or bytes");
    options_.flag("json", json_, "print the figures as JSON");
    loading_.declare(options_);
  }

  std::string name() const override { return "bench"; }
  std::string summary() const override { return "how fast this machine is at a job: loader"; }
  std::string example() const override { return "nowhere bench loader streets.nwp --size 64"; }

  int run() override {
    if (what_ != "loader") throw usage_error(fmt::format("there is no benchmark '{}'; give loader", what_));
    catch_stop_signals();
    const auto source = open_source(data_);
    const Selection selection = select_with_progress(*source, {}, loading_.loader.threads);
    Loader loader(*source, loading_.sampler(*source, selection.photos), loading_.loader,
                  {loading_.seed, 0, 0});
    loader.next();
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    int64_t images = 0;
    while (elapsed() < seconds_ && !stop_requested()) images += static_cast<int64_t>(loader.next()->count);
    const double rate = static_cast<double>(images) / elapsed();
    const LoaderCounts counts = loader.counts();
    if (json_) {
      fmt::print("{}\n", boost::json::serialize(boost::json::object{{"images_per_second", rate},
                                                                    {"images", images},
                                                                    {"threads", loading_.loader.threads},
                                                                    {"replaced", counts.replaced}}));
    } else {
      const double busy = counts.read_seconds + counts.resize_seconds;
      fmt::print("{} images/s ({} million/hour) on {} threads, batches of {} at {} px\n",
                 with_commas(static_cast<int64_t>(rate)), fmt::format("{:.1f}", rate * 3600 / 1e6),
                 loading_.loader.threads, loading_.loader.batch, loading_.loader.size);
      fmt::print("{:.0f}% of the work is reading and decoding, {:.0f}% crop and resize\n",
                 100 * counts.read_seconds / busy, 100 * counts.resize_seconds / busy);
    }
    return 0;
  }

 private:
  std::string what_, data_;
  double seconds_ = 5;
  bool json_ = false;
  LoadingOptions loading_;
};

}  // namespace

std::unique_ptr<Command> bench_command() {
  return std::make_unique<Bench>();
}

}  // namespace nowhere
