#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/open_run.h"
#include "cli/run_uploads.h"
#include "core/console.h"
#include "core/cpu.h"
#include "core/error.h"
#include "core/file.h"
#include "core/heap.h"
#include "core/json.h"
#include "core/proc.h"
#include "core/signals.h"
#include "core/text.h"
#include "device/accelerators.h"
#include "launch/launcher.h"
#include "model/feature_file.h"
#include "run/run_directory.h"
#include "s3/url.h"
#include "train/session.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::vector<uint8_t> bytes;
  if (auto read = read_file(path, bytes); !read) throw usage_error(read.error().reason);
  return {bytes.begin(), bytes.end()};
}

// The path as it will be found from any folder: evaluation and --resume may be started from another one.
std::string lasting_path(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole.string() : whole.parent_path().string();
}

// Flags over the reference's JSON over a file over a preset: the ranks of the options that set many values at
// once.
enum Rank { kPreset = -4, kFile = -3, kReference = -2, kRecipe = -1 };

constexpr int kNoLastEpoch = 1'000'000;

// Settings that the start-up lines show in other words.
bool shown_anyway(std::string_view key) {
  return key == "name" || key == "root" || key == "dataroot" || key == "features";
}

// "did you mean --name streets? " for a run whose name is nearly that of `path`, or nothing.
std::string similar_run(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(path.parent_path(), error), end; !error && it != end; it.increment(error))
    if (RunDirectory(it->path()).used()) names.push_back(it->path().filename().string());
  const auto meant = nearest(path.filename().string(), names);
  return meant ? fmt::format("did you mean --name {}? ", printable_text(*meant)) : "";
}

class Train : public Command {
 public:
  Train() {
    options_.special("preset", "NAME", kPreset, join(train_preset_names(), ", "),
                     [this](const std::string& name) {
                       config_ = train_preset(name, has_features());
                       for_features_ = train_preset(name, true).features != kNoFeatures;
                       base_ = {"preset " + config_.name, settings_of(config_)};
                       return true;
                     });
    options_.special("config", "FILE", kFile, "settings from a file: the config.json of any run",
                     [this](const std::string& file) { return apply(read_text(file), file), true; });
    options_.flag("dry-run", dry_run_, "say what would be done and how long it takes, and end");
    options_.flag("resume", resume_, "go on from the newest whole checkpoint of root/name");
    options_.flag("overwrite", overwrite_, "begin anew where a run is already");
    config_.declare(options_);
    config_.declare(settings_);
    options_.special("recipe", "NAME", kRecipe,
                     "classic or streets: --loss, --d-batch-norm and --d-joint in one",
                     [this](const std::string& name) { return apply_recipe(config_, name), true; });
    options_.special("checkpoint-params", "JSON", kReference,
                     "the reference's name, root, log_frequency, save_frequency",
                     [this](const std::string& json) { return apply(json, "--checkpoint_params"), true; });
    options_.letter('c');
    options_.special("train-params", "JSON", kReference, "the reference's nc, nz, ngf, ndf, lr, beta1, ...",
                     [this](const std::string& json) { return apply(json, "--train_params"), true; });
    options_.letter('t');
    options_.integer("nproc", processes_, 0, 1024,
                     "processes on this machine; 0: one per accelerator, or one on a CPU");
    options_.integer("s-epoch", s_epoch_, 0, 1'000'000, "resume from checkpoint_N.pt; 0: begin");
    options_.alias("-se");
  }

  std::string name() const override { return "train"; }
  // What the reference's program was called; its commands are copied from one place to the next.
  std::vector<std::string> aliases() const override { return {"run_dcgan", "run_gaudi_dcgan"}; }
  std::string summary() const override {
    return "train a generator of streets; stopped anywhere, it goes on exactly";
  }
  std::string notes() const override {
    return "safe-128 is the set of the reference's last table and of its code: nz 128, ngf 128, ndf 32.\n"
           "safe-128-large is that of an earlier table: nz 256, ngf 256, ndf 128.\n";
  }
  std::string example() const override {
    return "nowhere train --preset streets-64 --dataroot streets.nwp --n-epoch 50";
  }

  int run() override {
    world_ = world_of(process_environment());
    if (world_ && !world_->is_main()) write_messages_only(fmt::format("[rank {}] ", world_->rank));
    go_on_after_restart();
    if ((resume_ || s_epoch_ > 0) && overwrite_)
      throw usage_error("--overwrite and going on (--resume, --s-epoch) exclude each other");
    if (resume_ || s_epoch_ > 0) take_over_run();
    check_upload_target();
    if (!world_ && !dry_run_ && processes() > 1) return launch_processes();
    resolve_features();
    // Minutes alone decide how long a run is, unless epochs are given too.
    if (config_.max_minutes > 0 && !taken_over_ && !given("n-epoch") &&
        base_.settings.at("n_epoch") == config_.n_epoch)
      config_.n_epoch = kNoLastEpoch;
    config_.check();
    if (config_.dataroot.empty())
      throw usage_error("--dataroot is missing: a folder of photographs or a packed file");
    const auto source = open_source(config_.dataroot, stop_requested);
    config_.dataroot = lasting_path(config_.dataroot);
    if (!config_.init.empty() && !is_s3_url(config_.init)) config_.init = lasting_path(config_.init);
    const Selection selection = select_with_progress(*source, config_.filters, available_cores());
    Session session{config_, settings_.to_json(), base_.name, changes()};
    session.begin = resume_ ? Begin::kResume : overwrite_ ? Begin::kOverwrite : Begin::kNew;
    session.s_epoch = static_cast<uint64_t>(s_epoch_);
    session.minutes_given = given("max-minutes").has_value();
    session.world = world_;
    session.open_run = open_run;
    if (world_) share_cores(session.config, world_->local_size);
    keep_freed_memory();
    if (dry_run_) return print_plan(session, *source, selection.photos), 0;
    if (!upload_target()) return run_session(session, *source, selection.photos);
    return train_and_upload(session, *source, selection.photos);
  }

 private:
  // Nothing for those who do not upload: rank 0 does it for all. The reference's users write False for no
  // bucket.
  std::optional<UploadTarget> upload_target() const {
    if (config_.s3_bucket.empty() || lower(config_.s3_bucket) == "false" || (world_ && !world_->is_main()))
      return std::nullopt;
    return UploadTarget{config_.s3_bucket, config_.name, config_.s3_every_save};
  }

  // A training that fails has saved checkpoints too, and they are wanted all the more.
  int train_and_upload(Session& session, const Source& source, const std::vector<uint32_t>& photos) const {
    const RunDirectory run(fs::path(config_.root) / config_.name);
    RunUploads uploads(*upload_target());
    session.saved = [&](const fs::path& slim) { uploads.saved(slim); };
    int exit_code = 0;
    try {
      exit_code = run_session(session, source, photos);
    } catch (const std::exception&) {
      uploads.finish_after_failure(run);
      throw;
    }
    return uploads.finish(run, exit_code);
  }

  void check_upload_target() const {
    const bool checked_by_launcher = world_ && world_->listening;
    if (const auto target = upload_target(); target && !dry_run_ && !checked_by_launcher) target->check();
    if (config_.s3_every_save && config_.s3_bucket.empty())
      throw usage_error("--s3-every-save uploads nothing without --s3-bucket; give the bucket too");
  }

  // Whoever started the group anew (torchrun, Slurm) repeats the command that began the run.
  void go_on_after_restart() {
    if (!world_ || world_->restarts == 0 || resume_ || s_epoch_ > 0) return;
    const RunDirectory run(fs::path(config_.root) / config_.name);
    if (!run.used() && !run.claimed_before()) return;
    resume_ = true;
    overwrite_ = false;
    if (world_->is_main())
      print_message(
          fmt::format("nowhere: the group of processes was started again ({}): going on from the newest "
                      "checkpoint\n",
                      counted(world_->restarts, "time")));
  }

  int processes() const { return processes_ > 0 ? processes_ : std::max(1, visible_devices(config_.device)); }

  // This process starts the others and waits; it trains nothing itself.
  int launch_processes() const {
    config_.check();  // what is wrong is said once
    std::vector<std::string> words = own_command_line();
    words.erase(words.begin());
    // For those that are left after a failure to find out who is missing.
    constexpr double kMostSeconds = 20, kSeconds = 8;
    const double grace = std::min(kMostSeconds, config_.dist_timeout + kSeconds);
    return launch({.program = fs::read_symlink("/proc/self/exe"),
                   .arguments = words,
                   .processes = processes(),
                   .grace = std::chrono::milliseconds(static_cast<int64_t>(grace * 1000))});
  }

  // The processes of a machine compute side by side. The run's settings still say "all cores": it may go on
  // with another number.
  static void share_cores(TrainConfig& config, int local_size) {
    const int share = std::max(1, available_cores() / local_size);
    if (config.threads == 0) config.threads = share;
    if (config.workers == 0) config.workers = share;
  }

  void apply(const std::string& json, const std::string& where) {
    settings_.from_json(upgraded_run_settings(parse_json_object(json, where)), where);
  }

  // A run that goes on has the settings it had, but for what is given now. A checkpoint of the reference
  // comes without.
  void take_over_run() {
    const std::string root = config_.root, name = config_.name;  // where it is now, not where it was
    const RunDirectory run(fs::path(root) / name);
    // Only rank 0 needs the run; others that cannot see it have the settings of their command line.
    if (world_ && !world_->is_main() && !run.used()) return;
    if (resume_ && !run.used() && !run.claimed_before())
      throw usage_error(
          fmt::format("{} holds no run to go on with; {}without --resume a new one begins there",
                      printable(run.path()), similar_run(run.path())));
    const fs::path file = run.config();
    std::error_code error;
    if (!fs::exists(file, error)) return;
    config_ = TrainConfig();
    apply(read_text(file), printable(file));
    base_ = {"as the run had them", settings_.to_json()};
    taken_over_ = true;
    std::erase_if(given_, [](const auto& option) { return option.first == "preset"; });
    options_.assign(given_);
    config_.root = root;
    config_.name = name;
  }

  // What the command line says of an option, or nothing.
  std::optional<std::string> given(const std::string& option) const {
    const auto found = std::ranges::find(given_, option, &std::pair<std::string, std::string>::first);
    return found != given_.end() ? std::optional(found->second) : std::nullopt;
  }

  // What --features says, or would say by itself.
  std::string wanted_features() const { return given("features").value_or(kAutoFeatures); }

  bool has_features() const {
    const std::string wanted = wanted_features();
    return wanted == kAutoFeatures ? find_feature_file().has_value() : wanted != kNoFeatures;
  }

  // A run notes the file itself: what "auto" finds may be another one tomorrow.
  void resolve_features() {
    std::error_code error;
    const bool goes_on = resume_ || s_epoch_ > 0;
    const bool lost = config_.features != kNoFeatures && config_.features != kAutoFeatures && goes_on &&
                      !fs::exists(config_.features, error);  // trained on another machine: the digest decides
    if (config_.features == kAutoFeatures || lost) {
      const auto found = find_feature_file();
      if (lost && !found)
        throw data_error(
            fmt::format("this run was trained through {}, which is not there; install {} or give "
                        "its file with --features",
                        printable(config_.features), kFeaturePackage));
      config_.features = found ? found->string() : kNoFeatures;
    }
    if (config_.features != kNoFeatures) config_.features = lasting_path(config_.features);
    if (config_.features == kNoFeatures && wanted_features() == kAutoFeatures &&
        (for_features_ || given("features")) && !goes_on && (!world_ || world_->is_main()))
      print_message(
          fmt::format("nowhere: {} is not installed: D sees pixels alone, and pictures are far less "
                      "clear; install it beside torch, or give its file with --features\n",
                      kFeaturePackage));
  }

  static boost::json::object settings_of(TrainConfig config) {
    Options options;
    config.declare(options);
    return options.to_json();
  }

  // The settings that differ from where they come from, but for those that are shown anyway.
  boost::json::object changes() const {
    boost::json::object changed;
    for (const auto& [key, value] : settings_.to_json())
      if (!shown_anyway(key) && !(key == "n_epoch" && value == kNoLastEpoch) &&
          base_.settings.at(key) != value)
        changed[key] = value;
    return changed;
  }

  struct Base {
    std::string name;
    boost::json::object settings;
  };

  TrainConfig config_;
  Base base_{"the reference's defaults", settings_of(TrainConfig())};
  Options settings_;  // the configuration alone, for JSON
  int s_epoch_ = 0;
  int processes_ = 0;  // 0: as many as there are accelerators
  std::optional<World> world_;
  bool dry_run_ = false, resume_ = false, overwrite_ = false;
  bool taken_over_ = false;    // the settings are those of the run that goes on
  bool for_features_ = false;  // whether the preset is made for them
};

}  // namespace

std::unique_ptr<Command> train_command() {
  return std::make_unique<Train>();
}

}  // namespace nowhere
