#include "data/synth/synth.h"

#include <fmt/core.h>

#include <mutex>

#include "cli/commands.h"
#include "cli/common.h"
#include "core/console.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/stopwatch.h"
#include "core/text.h"

namespace nowhere {
namespace {

class Synth : public Command {
 public:
  Synth() {
    positionals_ = {{"DIR", "the folder to draw the data set into; made if missing", &directory_}};
    options_.integer("images", config_.images, 1, 10'000'000, "how many photographs");
    options_.integer("cities", config_.cities, 1, 1000, "how many cities, each with a style of its own");
    options_.seed("seed", config_.seed, "another seed gives other streets");
    declare_threads(options_, config_.threads);
  }

  std::string name() const override { return "synth"; }
  std::string summary() const override { return "draw a street data set in the MSLS layout"; }
  std::string example() const override { return "nowhere synth streets --images 2000 --cities 4"; }

  int run() override {
    config_.directory = directory_;
    const Stopwatch watch;
    SynthSummary summary;
    {
      Progress line("drawing", "images", config_.images);
      std::mutex mutex;
      int64_t done = 0;
      summary = draw_dataset(
          config_,
          [&](int more) {
            const std::lock_guard lock(mutex);
            line.update(done += more);
          },
          stop_requested);
    }
    const double seconds = watch.seconds();
    fmt::print("{}: {} of {} in {}, {} images/s\n", printable(config_.directory),
               counted(summary.images, "image"), counted(summary.sequences, "sequence"),
               counted(summary.cities, "city", "cities"),
               with_commas(static_cast<int64_t>(summary.images / seconds)));
    if (!stop_requested()) return 0;
    print_message("nowhere: stopped; run the same command again to draw the rest\n");
    return stopped_exit_code();
  }

 private:
  std::string directory_;
  SynthConfig config_;
};

}  // namespace

std::unique_ptr<Command> synth_command() {
  return std::make_unique<Synth>();
}

}  // namespace nowhere
