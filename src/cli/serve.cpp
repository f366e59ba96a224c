#include <fmt/core.h>
#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/generating.h"
#include "cli/served_model.h"
#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
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
  print_message(fmt::format("nowhere: {}\n", what));
}

class Serve : public Command {
 public:
  Serve() {
    positionals_ = {
        {"RUN",
         "a run directory or a checkpoint (.pt), also of the reference; without: the model that comes "
         "with the program",
         &run_, /*required=*/false}};
    options_.flag("follow", follow_, "take newer checkpoints of the run as training writes them");
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
    mallopt(M_ARENA_MAX, 2);  // many threads with short-lived pictures would each keep a heap of their own
    RunReader reader = RunReader::open(run_);
    if (!follow_) reader.find(epoch_.chosen());  // what is not there is said before anybody connects
    RunModelProvider models(std::move(reader),
                            [threads = compute_threads_](const RunReader& run, const CheckpointFile& file) {
                              return load_served_model(run, file, threads);
                            },
                            {.epoch = epoch_.chosen(), .follow = follow_, .on_error = print_error});
    Service service(config_, models);
    fmt::print("serving {} on {}\n", printable(run_), service.url());
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
      if (!environment("MODEL_CFG__BUCKET").empty() && !fs::exists(run_))
        throw data_error(fmt::format(
            "{} does not exist, and fetching from the bucket of MODEL_CFG__BUCKET is not supported yet; "
            "copy the checkpoint to this machine",
            printable(run_)));
    }
    size_ = environment_number("TRAIN_CFG__IMG_SIZE", 32, 512);
    if (const auto channels = environment_number("TRAIN_CFG__N_CHANNELS", 1, 3); channels && *channels == 2)
      throw usage_error(
          "TRAIN_CFG__N_CHANNELS is 2; give 1 for greyscale or 3 for colour, "
          "or take it out of the environment");
  }

  // A run that has just begun has no checkpoint yet: when following, waits for the first one or until
  // stopped.
  void open_model(RunModelProvider& models) const {
    std::string reported;  // what is wrong with an existing checkpoint
    while (!stop_requested()) try {
        return models.open();
      } catch (const Error& error) {
        if (!follow_ || !fs::is_directory(run_)) throw;
        if (!models.epochs().empty() && reported != error.what()) print_error(reported = error.what());
        std::this_thread::sleep_for(kLookEvery);
      }
  }

  void check_picture_size(const ModelFacts& facts) const {
    if (size_ && *size_ != facts.picture_size)
      print_error(fmt::format("TRAIN_CFG__IMG_SIZE says {} px; this model makes and serves pictures of {} px",
                              *size_, facts.picture_size));
  }

  void wait(RunModelProvider& models) const {
    constexpr auto kNap = std::chrono::milliseconds(50);
    auto next_look = std::chrono::steady_clock::now() + kLookEvery;
    while (!stop_requested()) {
      std::this_thread::sleep_for(kNap);
      if (std::chrono::steady_clock::now() < next_look) continue;
      models.look_for_newer();
      malloc_trim(0);  // returns the memory of a burst of requests to the system
      next_look = std::chrono::steady_clock::now() + kLookEvery;
    }
  }

  static constexpr auto kLookEvery = std::chrono::seconds(1);

  std::string run_;
  bool follow_ = false;
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
