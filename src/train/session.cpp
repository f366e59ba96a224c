#include "train/session.h"

#include <fmt/core.h>

#include "archive/torch_file.h"
#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/signals.h"
#include "core/text.h"
#include "data/selection_digest.h"
#include "figures/figures.h"
#include "model/feature_file.h"
#include "observe/metrics_server.h"
#include "train/plan.h"
#include "train/reference.h"
#include "train/trainer.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

void warn(const std::string& line) {
  print_message("nowhere: " + line + "\n");
}

int processes_of(const Session& session) {
  return session.world ? session.world->size : 1;
}

uint64_t batches_per_epoch(const Session& session, const Source& source,
                           const std::vector<uint32_t>& photos) {
  const TrainConfig& config = session.config;
  SamplerConfig order = config.sampler();
  order.world_size = processes_of(session);
  const Sampler sampler(source.photos(), photos, order);
  if (sampler.size() < static_cast<size_t>(config.batch_size))
    throw data_error(fmt::format(
        "{}: {} cannot fill a batch of {}{}; take a smaller --batch-size{} or more "
        "photographs",
        source.name(), counted(static_cast<int64_t>(photos.size()), "photograph"), config.batch_size,
        order.world_size > 1 ? fmt::format(" for each of {} processes", order.world_size) : "",
        order.world_size > 1 ? ", fewer processes" : ""));
  return sampler.size() / static_cast<size_t>(config.batch_size);
}

// "a 1, b 2, ..." in lines that fit a terminal
std::string wrapped(const boost::json::object& json) {
  constexpr size_t kWidth = 100;
  std::string text, line;
  for (const auto& [key, value] : json) {
    const std::string item =
        fmt::format("{} {}", std::string_view(key),
                    value.is_string() ? std::string(value.as_string()) : json_text(value));
    if (!line.empty() && line.size() + item.size() > kWidth) {
      text += line + "\n             ";
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + item;
  }
  return text + line;
}

struct Setting {
  torch::Device device;
  Precision precision;
  Workload work;
};

int device_number(const Session& session) {
  return session.world ? session.world->local_rank : 0;
}

Setting prepare(const Session& session) {
  const TrainConfig& config = session.config;
  const torch::Device device = open_device(config.device, device_number(session));
  const Precision precision = resolve_precision(config.precision, device);
  set_compute_threads(config.threads);
  return {device, precision, workload_of(config)};
}

void print_setting(const Session& session, const Source& source, size_t photographs, uint64_t batches,
                   const Setting& setting) {
  const TrainConfig& config = session.config;
  fmt::print("run          {}\n", printable(fs::path(config.root) / config.name));
  fmt::print("data         {} ({}), {}, {} of {} an epoch\n", source.name(), source.description(),
             counted(static_cast<int64_t>(photographs), "photograph"),
             counted(static_cast<int64_t>(batches), "batch", "batches"),
             config.batch_size * processes_of(session));
  if (session.world)
    fmt::print("processes    {} with batches of {} each\n", session.world->size, config.batch_size);
  fmt::print("networks     G {} and D {} parameters, {} px\n",
             with_commas(setting.work.generator.parameters()),
             with_commas(setting.work.discriminator.parameters()), config.model.img_size);
  if (config.features != kNoFeatures)
    fmt::print("features     {}, frozen, for D to look through\n",
               printable(fs::path(config.features).filename()));
  fmt::print("device       {}, {}, {}\n", name_of(setting.device),
             counted(torch::get_num_threads(), "thread"), name_of(setting.precision));
  std::fflush(stdout);
}

std::optional<LoadedCheckpoint> find_checkpoint(const Session& session, const RunDirectory& run) {
  if (session.s_epoch > 0) {
    const CheckpointName name{.epoch = session.s_epoch};
    return LoadedCheckpoint{name, run.file(name), read_torch_file(run.file(name))};
  }
  if (session.begin != Begin::kResume) return std::nullopt;
  auto newest = newest_checkpoint(run, warn);
  if (!newest) warn(fmt::format("{} holds no whole checkpoint: training begins anew", printable(run.path())));
  return newest;
}

void prepare_directory(const Session& session, RunDirectory& run) {
  if (session.begin == Begin::kNew && session.s_epoch == 0 && run.used())
    throw usage_error(
        fmt::format("{} holds a run already; --resume goes on with it, --overwrite begins anew, "
                    "--name takes another folder",
                    printable(run.path())));
  run.claim();
  if (session.begin == Begin::kOverwrite) run.clear();
}

// With the figure of what the machine did also where an error ends it.
Trainer::End train(Trainer& trainer, const RunDirectory& run) {
  try {
    return trainer.run();
  } catch (...) {
    make_machine_figure(run);
    throw;
  }
}

void report_end(const Session& session, const RunDirectory& run, Trainer& trainer, Trainer::End end,
                bool packed, bool on_cpu) {
  const TrainProgress& progress = trainer.progress();
  if (end == Trainer::End::kStopped || trainer.last_save_failed()) make_machine_figure(run);
  if (trainer.last_save_failed())
    throw Error(fmt::format("the last state could not be saved (see above); {}",
                            run.checkpoints().empty() ? "make room and begin anew"
                                                      : "make room, and --resume goes on from " +
                                                            printable(run.file(run.checkpoints()[0]))));
  if (trainer.profile_missed())
    warn("the run was too short for --profile: see --profile-wait and --profile-steps");
  if (end == Trainer::End::kStopped) {
    print_message(
        fmt::format("nowhere: stopped after epoch {}, batch {}; everything is saved, --resume goes on\n",
                    progress.epoch, progress.batches));
    return;
  }
  make_figures(run, trainer.generator(), session.config.seed);
  fmt::print("\n{}\n", bottleneck(trainer.time(), packed, on_cpu).sentence());
  fmt::print("{} {} seen, {}\n",
             end == Trainer::End::kTimeUp ? "time is up:" : "done:", counted(progress.images, "image"),
             printable(run.checkpoint(progress.epoch, progress.batches)));
  fmt::print("figures      {}\n", printable(run.figures()));
}

// Settings that may differ between processes: where things are on their machines.
bool is_local(std::string_view key) {
  for (const std::string_view local : {"name", "root", "dataroot", "features", "init", "threads", "workers",
                                       "metrics_port", "metrics_host", "s3_bucket", "s3_every_save"})
    if (key == local) return true;
  return false;
}

void check_same_work(Group& group, const Session& session, const Source& source,
                     const std::vector<uint32_t>& photos) {
  boost::json::object common;
  for (const auto& [key, value] : session.config_json)
    if (!is_local(key)) common[key] = value;
  check_same_work(group, common, selection_digest(source.photos(), photos));
}

// A process that trains with others and leaves printing and writing to rank 0.
int follow(const Session& session, const Source& source, const std::vector<uint32_t>& photos,
           const Setting& setting, Group& group) {
  const TrainConfig& config = session.config;
  const RunDirectory run(fs::path(config.root) / config.name);
  Metrics metrics;
  Trainer trainer({.config = config,
                   .run = run,
                   .source = source,
                   .photos = photos,
                   .device = setting.device,
                   .precision = setting.precision,
                   .config_text = "",
                   .metrics = metrics,
                   .group = &group},
                  std::nullopt);
  return trainer.run() == Trainer::End::kStopped ? 128 + trainer.stop_signal() : 0;
}

InitialNetworks initial_networks(const Session& session, const RunDirectory& run) {
  const fs::path path = session.config.init;  // one in a bucket is equivalent to no folder
  std::error_code error;
  if (fs::equivalent(fs::is_directory(path, error) ? path : path.parent_path(), run.path(), error))
    throw usage_error(
        fmt::format("--init {}: that is the run itself; --resume goes on with it, --name takes another",
                    printable(path)));
  return read_initial(session.open_run(session.config.init), session.config.model);
}

// The process that keeps the run.
int lead(const Session& session, const Source& source, const std::vector<uint32_t>& photos,
         const Setting& setting, Group* group) {
  const TrainConfig& config = session.config;
  const uint64_t batches = batches_per_epoch(session, source, photos);
  RunDirectory run(fs::path(config.root) / config.name);
  Metrics metrics;
  std::optional<MetricsServer> server;  // before anything is removed: the port may be taken
  if (config.metrics_port != 0)
    server.emplace(metrics, config.metrics_host, static_cast<uint16_t>(config.metrics_port));
  std::optional<InitialNetworks> initial;  // before anything is removed: it may not fit
  if (!config.init.empty() && session.begin != Begin::kResume && session.s_epoch == 0)
    initial = initial_networks(session, run);
  prepare_directory(session, run);
  const auto checkpoint = find_checkpoint(session, run);
  const std::string text = pretty(session.config_json);
  Trainer trainer({config, run, source, photos, setting.device, setting.precision, text, metrics,
                   session.minutes_given, std::move(initial), group, session.saved},
                  checkpoint);
  if (session.s_epoch > 0) run.forget_after(session.s_epoch);  // only now: the checkpoint fits
  if (!fs::exists(run.figures() / "real.png"))
    save_real_pictures(run, reference_pictures(source, photos, config, kFigurePictures));
  write_file(run.config(), text);
  print_setting(session, source, photos.size(), batches, setting);
  fmt::print("settings     {}{}\n\n", session.base,
             session.changed.empty() ? "" : ", but " + wrapped(session.changed));
  std::fflush(stdout);
  if (checkpoint) fmt::print("going on from {}\n", printable(checkpoint->file));
  if (trainer.progress().epoch >= static_cast<uint64_t>(config.n_epoch))
    fmt::print("epoch {} is trained already; --n-epoch says how far to go\n", config.n_epoch);
  else if (trainer.time_is_up())
    fmt::print("{:g} minutes were trained already; --max-minutes gives more\n", config.max_minutes);
  const Trainer::End end = train(trainer, run);
  report_end(session, run, trainer, end, source.description().starts_with("packed"), setting.device.is_cpu());
  return end == Trainer::End::kStopped ? 128 + trainer.stop_signal() : 0;
}

}  // namespace

int run_session(const Session& session, const Source& source, const std::vector<uint32_t>& photos) {
  ignore_lost_output();
  batches_per_epoch(session, source, photos);  // throws before anything is opened
  const Setting setting = prepare(session);
  if (!session.world) return lead(session, source, photos, setting, nullptr);
  const TrainConfig& config = session.config;
  Group group(*session.world, setting.device,
              {std::chrono::milliseconds(static_cast<int64_t>(config.dist_timeout * 1000)), config.sync_bn});
  try {
    check_same_work(group, session, source, photos);
    return group.is_main() ? lead(session, source, photos, setting, &group)
                           : follow(session, source, photos, setting, group);
  } catch (const std::exception& error) {
    group.leave(error.what());
    throw;
  }
}

void print_plan(const Session& session, const Source& source, const std::vector<uint32_t>& photos) {
  const TrainConfig& config = session.config;
  const uint64_t batches = batches_per_epoch(session, source, photos);
  const Setting setting = prepare(session);
  print_setting(session, source, photos.size(), batches, setting);
  fmt::print("settings     {}\n", wrapped(session.config_json));
  const double rate = measure_speed(config, device_number(session));  // images/s
  const double epoch_images = static_cast<double>(batches) * config.batch_size * processes_of(session);
  const double epoch = epoch_images / rate;
  fmt::print("memory       about {} beside LibTorch itself\n", human_bytes(setting.work.memory_bytes()));
  fmt::print("checkpoint   {} on the disk\n", human_bytes(setting.work.checkpoint_bytes()));
  const std::string whole =
      config.max_minutes > 0
          ? fmt::format("{} in {}", counted(static_cast<int64_t>(config.max_minutes * 60 * rate), "image"),
                        human_time(config.max_minutes * 60))
          : fmt::format("{} for {}", human_time(epoch * config.n_epoch), counted(config.n_epoch, "epoch"));
  fmt::print("time         about {} an epoch, {} ({:.0f} images/s in a few small steps)\n", human_time(epoch),
             whole, rate);
}

}  // namespace nowhere
