#include "train/config.h"

#include <fmt/core.h>

#include <limits>

#include "core/cpu.h"
#include "core/error.h"
#include "core/text.h"
#include "model/feature_file.h"
#include "train/losses.h"

namespace nowhere {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TrainConfig classic(ModelConfig model) {
  TrainConfig config;
  config.model = model;
  return config;
}

// "Safe parameters" of the write-up.
TrainConfig safe(ModelConfig model) {
  TrainConfig config = classic(model);
  config.batch_size = 256;
  config.noise = 0.05;
  return config;
}

std::vector<std::pair<std::string, std::string>> names_of_losses() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string& row : loss_names()) names.emplace_back(row, row);
  return names;
}

TrainConfig streets(int img_size, bool with_features) {
  TrainConfig config = classic({.nz = 64, .ngf = 32, .ndf = 32, .img_size = img_size});
  apply_recipe(config, "streets");
  config.augment = {};
  config.batch_size = 32;
  config.lr = 1e-3;
  config.beta1 = 0;
  config.beta2 = 0.99;
  config.weight_decay = 0;
  config.r1_gamma = 1;
  config.diff_colour = config.diff_translation = true;
  config.model.d_group = 4;
  config.ema_kimg = 2;
  config.lr_final = 0.1;
  if (!with_features) return config;
  config.features = kAutoFeatures;
  config.batch_size = 16;
  config.lr = 2e-3;
  config.model.d_pixels = false;
  config.model.d_thumbnail = 16;
  config.model.g_low_pass = true;
  config.diff_strength = 0.3;
  config.ema_kimg = 8;
  return config;
}

std::vector<std::pair<std::string, TrainConfig>> presets(bool with_features) {
  const ModelConfig clamp{.nz = 256, .ngf = 256, .ndf = 64, .img_size = 64};
  return {{"naive-64", classic({.nz = 100, .ngf = 64, .ndf = 64, .img_size = 64})},
          {"clamp-64", safe(clamp)},
          {"safe-64", safe(clamp)},
          {"safe-128", safe({.nz = 128, .ngf = 128, .ndf = 32, .img_size = 128})},
          {"safe-128-large", safe({.nz = 256, .ngf = 256, .ndf = 128, .img_size = 128})},
          {"streets-64", streets(64, with_features)},
          {"streets-128", streets(128, with_features)}};
}

}  // namespace

void TrainConfig::declare(Options& options) {
  options.text("name", name, "NAME", "the run's name, a folder below root");
  options.text("root", root, "DIR", "where runs are kept");
  options.text("dataroot", dataroot, "DATA", "a folder of photographs, or packed files: 'packs/*.nwp'");
  options.letter('d');
  options.seed("seed", seed, "decides weights, noise, order and crops");
  options.integer("n-epoch", n_epoch, 1, 1'000'000, "the last epoch to train, not how many more");
  options.alias("-ne");
  options.integer("batch-size", batch_size, 1, 65536, "pictures in a batch of each process");
  model.declare(options);
  options.choice("loss", loss, names_of_losses(),
                 "binary cross entropy as the reference, relativistic pairing or hinge");
  options.text("features", features, "auto|none|FILE",
               "a frozen network for D to look through: EfficientNet-Lite (.pth) or TorchScript");
  options.number("lr", lr, 1e-9, 1, "learning rate");
  options.choice("device", device,
                 {{"auto", DeviceChoice::kAuto},
                  {"cpu", DeviceChoice::kCpu},
                  {"cuda", DeviceChoice::kCuda},
                  {"hpu", DeviceChoice::kHpu}},
                 "auto: the first available of hpu, cuda, cpu");
  options.integer("log-frequency", log_frequency, 1, 1'000'000, "batches between log lines");
  options.integer("save-frequency", save_frequency, 1, 1'000'000, "epochs between checkpoints");
  options.number("max-minutes", max_minutes, 0, 1e6,
                 "train for about N minutes, with schedules that end with them; 0: no limit");
  declare_details(options);
}

void TrainConfig::declare_details(Options& options) {
  options.detail();
  options.text("init", init, "RUN", "begin with the networks of a run or checkpoint, as far as they fit");
  options.choice("head-loss", head_loss, names_of_losses(), "loss of the heads on --features");
  options.number("beta1", beta1, 0, 0.9999, "Adam: decay of the mean gradient");
  options.number("beta2", beta2, 0, 0.999999, "Adam: decay of the mean squared gradient");
  options.number("weight-decay", weight_decay, 0, 1, "weight decay, decoupled as in AdamW");
  options.number("lr-final", lr_final, 0, 1, "the learning rate at the end as a share of lr");
  options.number("label-smoothing", label_smoothing, 0, 0.5,
                 "of bce: the label of real pictures is 1 minus this");
  options.number("instance-noise", instance_noise, 0, 1,
                 "standard deviation of noise on all that D sees, in [-1,1]");
  options.number("clip-gradients", clip_gradients, 0, 1e6,
                 "clip each network's gradient to this norm; 0: do not");
  options.number("r1-gamma", r1_gamma, 0, 1000,
                 "weight of the R1 gradient penalty on real pictures; 0: none");
  options.integer("r1-every", r1_every, 1, 1000, "steps between R1 penalties");
  options.yes_no("d-joint", d_joint, "D sees reals and fakes in one pass");
  options.yes_no("diff-colour", diff_colour, "DiffAugment: change the colours of what D sees");
  options.yes_no("diff-translation", diff_translation, "DiffAugment: shift what D sees");
  options.number("diff-strength", diff_strength, 0, 1,
                 "DiffAugment: how much colours change, 1 is all of it");
  options.yes_no("diff-synced", diff_synced, "DiffAugment: a real and a fake picture change in the same way");
  options.number("ema-kimg", ema_kimg, 0, 1e6,
                 "half-life of G's moving average, in thousands of images; 0: none");
  options.number("ema-share", ema_share, 0.001, 1, "the half-life is at most this share of the images seen");
  augment.declare(options);
  options.number("noise", noise, 0, 1, "standard deviation of noise on the photographs, of pixels in [0,1]");
  options.number("max-unreadable", max_unreadable, 0, 1,
                 "stop when more than this share of an epoch cannot be read");
  options.integer("max-per-sequence-epoch", max_per_sequence_epoch, 0, kMax,
                  "at most N frames of a sequence in an epoch, others in the next; 0: all");
  options.alias("--max-per-drive");
  filters.declare(options);
  options.choice("channels-last", channels_last,
                 {{"auto", ChannelsLast::kAuto}, {"yes", ChannelsLast::kYes}, {"no", ChannelsLast::kNo}},
                 "layout of pictures and weights in memory; auto: as suits the device");
  options.choice("precision", precision, precision_choices(), "auto: the fastest that is safe on the device");
  options.choice("kernels", kernels, {{"auto", Kernels::kAuto}, {"torch", Kernels::kTorch}},
                 "on the CPU, kernels of our own where they are faster, or LibTorch's alone");
  options.integer("threads", threads, 0, 1024, "threads that compute, of each process; 0: one per core");
  options.integer("workers", workers, 0, 1024, "threads that load pictures, likewise");
  options.yes_no("sync-bn", sync_bn, "batch norm sees the batches of all processes, not of each alone");
  options.choice("gradient-compression", gradient_compression,
                 {{"none", GradientCompression::kNone},
                  {"fp16", GradientCompression::kFp16},
                  {"bf16", GradientCompression::kBf16}},
                 "send gradients between processes as they are, or with 16 bits");
  options.number("bucket-mb", bucket_mb, 0.01, 4096, "megabytes of gradients that processes send at once");
  options.number("dist-timeout", dist_timeout, 1, 1e6, "seconds that processes wait for each other");
  options.choice("minutes-of", minutes_of, {{"clock", MinutesOf::kClock}, {"cpu", MinutesOf::kCpu}},
                 "what --max-minutes counts: the clock's, or the processor's on all threads");
  options.number("save-minutes", save_minutes, 0, 1e6,
                 "also save within an epoch every so many minutes; 0: do not");
  options.integer("keep-last", keep_last, 0, kMax, "how many of the newest checkpoints to keep; 0: all");
  options.choice("keep-best", keep_best,
                 {{"none", KeepBest::kNone},
                  {"swd", KeepBest::kSwd},
                  {"diversity", KeepBest::kDiversity},
                  {"g_loss", KeepBest::kGeneratorLoss}},
                 "also keep the best checkpoint by this score");
  options.choice("on-nan", on_nan, {{"stop", OnNan::kStop}, {"reload", OnNan::kReload}},
                 "stop, or go back to the last checkpoint with half the learning rate");
  options.yes_no("logging", logging, "write TensorBoard events");
  options.alias("-log");
  options.yes_no("histograms", histograms, "write histograms of the weights into the events");
  options.yes_no("profile", profile, "write a Chrome trace of some steps into events/");
  options.alias("-prof");
  options.integer("profile-wait", profile_wait, 0, 1'000'000, "steps before the profiler warms up");
  options.integer("profile-warmup", profile_warmup, 0, 1000, "steps to warm it up");
  options.integer("profile-steps", profile_steps, 1, 1000, "steps that it records");
  options.integer("metrics-port", metrics_port, 0, 65535, "serve Prometheus metrics on this port; 0: do not");
  options.text("metrics-host", metrics_host, "HOST", "the address to serve the metrics on");
  options.text("s3-bucket", s3_bucket, "BUCKET",
               "upload the last slim checkpoint to s3://BUCKET/NAME/slim_checkpoint_N.pt");
  options.alias("-s3");
  options.flag("s3-every-save", s3_every_save, "upload the slim checkpoint of every save");
}

void TrainConfig::check() const {
  model.check();
  if (name.find('/') != std::string::npos || name == "." || name == "..")
    throw usage_error(fmt::format("the name '{}' cannot be a folder's name; put the path into root", name));
  if (model.d_group > 0 && batch_size % model.d_group != 0)
    throw usage_error(
        fmt::format("d-group {} does not divide the batch size {}; give a multiple, or --d-group 0",
                    model.d_group, batch_size));
  find_loss(loss);
}

LoaderConfig TrainConfig::loader() const {
  LoaderConfig loader;
  loader.sample.size = model.img_size;
  loader.batch = batch_size;
  loader.sample.augment = augment;
  loader.sample.noise = noise;
  loader.threads = workers > 0 ? workers : available_cores();
  return loader;
}

SamplerConfig TrainConfig::sampler() const {
  return {.seed = seed, .shuffle = true, .max_per_sequence_epoch = max_per_sequence_epoch};
}

void apply_recipe(TrainConfig& config, const std::string& name) {
  const bool streets = name == "streets";
  if (!streets && name != "classic")
    throw usage_error(
        fmt::format("--recipe {}: not accepted; give classic or streets", printable_text(name)));
  config.loss = streets ? "relativistic" : "bce";
  config.model.d_batch_norm = !streets;
  config.d_joint = streets;
}

boost::json::object upgraded_run_settings(boost::json::object settings) {
  settings = upgraded_settings(std::move(settings));
  // A whole configuration, not the few keys that a user writes.
  const bool saved = settings.contains("dataroot") && settings.contains("flip");
  if (saved && !settings.contains("crop_size")) settings["crop_size"] = CropSize().text();
  return settings;
}

TrainConfig train_preset(const std::string& name, bool with_features) {
  // The write-up says "Naive-Params-64" where the code says naive-64.
  std::string plain = lower(name);
  if (const size_t params = plain.find("-params"); params != std::string::npos) plain.erase(params, 7);
  for (auto& [known, config] : presets(with_features)) {
    if (known != plain) continue;
    TrainConfig found = config;
    found.name = plain;
    return found;
  }
  const auto meant = nearest(plain, train_preset_names());
  throw usage_error(fmt::format("there is no preset '{}'; {}give one of {}", name,
                                meant ? fmt::format("did you mean {}? ", *meant) : "",
                                join(train_preset_names(), ", ")));
}

std::vector<std::string> train_preset_names() {
  std::vector<std::string> names;
  for (const auto& [name, config] : presets(false)) names.push_back(name);
  return names;
}

}  // namespace nowhere
