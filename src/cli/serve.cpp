#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/generating.h"
#include "cli/open_run.h"
#include "cli/served_model.h"
#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/heap.h"
#include "core/signals.h"
#include "core/text.h"
#include "s3/url.h"
#include "serve/run_model_provider.h"
#include "serve/service.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A number from the environment of the reference DCGAN's server; nothing when it is not set.
std::optional<int64_t> environment_number(const char* name, int64_t low, int64_t high) {
  const std::string text = environment(name);
  if (text.empty()) return std::nullopt;
  const auto number = parse_integer(text);
  if (!number || *number < low || *number > high)
    throw usage_error(
        fmt::format("{} is '{}'; give a whole number from {} to {}, or take it out of the environment", name,
                    printable_text(text), low, high));
  return number;
}

void print_error(const std::string& what) {
  if (stop_requested()) return;  // what was broken off on the way out is no news
  print_message(fmt::format("nowhere: {}\n", what));
}

class Serve : public Command {
 public:
  Serve() {
    positionals_ = {
        {"RUN",
         "a run directory, a checkpoint (.pt), also of the reference, or s3://BUCKET/RUN; without: the model "
         "that comes with the program",
         &run_, /*required=*/false}};
    options_.flag("follow", follow_, "take newer checkpoints of the run as training writes them");
    options_.number("follow-every", look_every_, 0, 86400,
                    "seconds from one look for them to the next; 0: 1 in a folder, 15 in a bucket");
    epoch_.declare(options_);
    options_.integer("compute-threads", compute_threads_, 0, 1024,
                     "threads that make pictures; 0: as many as there are cores");
    config_.declare(options_);
  }

  std::string name() const override { return "serve"; }
  std::string summary() const override { return "a gallery of streets that do not exist, and its API"; }
  std::string example() const override { return "nowhere serve runs/streets --port 8080"; }

  int run() override {
    take_environment();
    config_.read_token();
    config_.check();
    if (fs::is_directory(run_)) config_.run_directory = run_;
    share_heaps();  // many threads with short-lived pictures would each keep a heap of their own
    const bool in_bucket = is_s3_url(run_);
    if (look_every_ == 0) look_every_ = in_bucket ? kLookIntoBucket : kLookIntoFolder;
    RunReader reader = open_run(run_);
    if (!follow_) reader.find(epoch_.chosen());  // what is not there is said before anybody connects
    RunModelProvider models(std::move(reader),
                            [threads = compute_threads_](const RunReader& run, const CheckpointFile& file) {
                              return load_served_model(run, file, threads);
                            },
                            {.epoch = epoch_.chosen(),
                             .follow = follow_,
                             .list_for = milliseconds_of(in_bucket ? look_every_ : kLookIntoFolder),
                             .on_error = print_error});
    Service service(config_, models);
    fmt::print("serving {} on {}\n", printable_run(run_), service.url());
    std::fflush(stdout);
    open_model(models);
    if (const auto model = models.current()) check_picture_size(model->facts());
    wait(models);
    service.stop();
    return stopped_exit_code() == 143 ? 0 : stopped_exit_code();  // SIGTERM is the usual way to end a service
  }

 private:
  // The reference's settings, where the command line says nothing.
  void take_environment() {
    if (run_.empty()) {
      const std::string name = environment("MODEL_CFG__NAME");
      run_ = name.empty() ? shipped_model() : (fs::path(environment("MODEL_CFG__ROOT")) / name).string();
      if (const auto number = environment_number("ML_CONFIG_CHECKPOINT_NUM", 0, 1'000'000'000);
          number && !name.empty() && !epoch_.chosen())
        epoch_.epoch = *number;
      if (const std::string bucket = environment("MODEL_CFG__BUCKET");
          !bucket.empty() && !name.empty() && !has_checkpoint(run_))
        run_ = fmt::format("{}{}/{}", is_s3_url(bucket) ? "" : "s3://", bucket, name);
    }
    size_ = environment_number("TRAIN_CFG__IMG_SIZE", 32, 512);
    if (const auto channels = environment_number("TRAIN_CFG__N_CHANNELS", 1, 3); channels && *channels == 2)
      throw usage_error(
          "TRAIN_CFG__N_CHANNELS is 2; give 1 for greyscale or 3 for colour, "
          "or take it out of the environment");
  }

  // A slim one or a full one, here on this machine.
  bool has_checkpoint(const std::string& run) const {
    try {
      RunReader::open(run).find(epoch_.chosen());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // A run that has just begun has no checkpoint yet: when following, waits for the first one or until
  // stopped.
  void open_model(RunModelProvider& models) const {
    std::string reported;  // what is wrong with an existing checkpoint
    while (!stop_requested()) try {
        return models.open();
      } catch (const Error& error) {
        if (stop_requested()) return;
        const bool may_come = is_s3_url(run_) ? error.exit() == Exit::kData : fs::is_directory(run_);
        if (!follow_ || !may_come) throw;
        if (!models.epochs().empty() && reported != error.what()) print_error(reported = error.what());
        wait_for_next_look([] {});
      }
  }

  void check_picture_size(const ModelFacts& facts) const {
    if (size_ && *size_ != facts.picture_size)
      print_error(fmt::format("TRAIN_CFG__IMG_SIZE says {} px; this model makes and serves pictures of {} px",
                              *size_, facts.picture_size));
  }

  void wait(RunModelProvider& models) const {
    while (!stop_requested()) {
      wait_for_next_look(return_freed_memory);  // after a burst of requests
      if (!stop_requested()) models.look_for_newer();
    }
  }

  // Or until stopped.
  void wait_for_next_look(const std::function<void()>& every_second) const {
    constexpr auto kNap = std::chrono::milliseconds(50), kSecond = std::chrono::milliseconds(1000);
    const auto begin = std::chrono::steady_clock::now(), end = begin + milliseconds_of(look_every_);
    for (auto next = begin + kSecond; std::chrono::steady_clock::now() < end && !stop_requested();) {
      std::this_thread::sleep_for(kNap);
      if (std::chrono::steady_clock::now() < next) continue;
      every_second();
      next += kSecond;
    }
  }

  static std::chrono::milliseconds milliseconds_of(double seconds) {
    return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  }

  // A request of S3 costs money.
  static constexpr double kLookIntoFolder = 1, kLookIntoBucket = 15;  // seconds

  std::string run_;
  bool follow_ = false;
  double look_every_ = 0;  // seconds; 0: as the place asks for
  EpochOption epoch_;
  int compute_threads_ = 0;
  std::optional<int64_t> size_;  // pixels, that the environment expects
  ServeConfig config_;
};

}  // namespace

std::unique_ptr<Command> serve_command() {
  return std::make_unique<Serve>();
}

}  // namespace nowhere
