// Everything that decides what a run does, declared once: the flags, the keys of the JSON, config.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/options.h"
#include "data/filter.h"
#include "data/loader.h"
#include "device/choices.h"
#include "dist/choices.h"
#include "model/choices.h"
#include "model/config.h"
#include "train/choices.h"

namespace nowhere {

struct TrainConfig {
  // What is trained, and where it goes: root/name.
  std::string name = "dcgan";
  std::string root = "runs";
  std::string dataroot;
  uint64_t seed = 0;
  ModelConfig model;

  // How it is trained.
  std::string loss = "bce";         // a row of the table in losses.cpp
  std::string head_loss = "hinge";  // of the heads on a frozen network
  // D sees reals and fakes in one pass: faster, and the same without batch norm, which is to see them apart.
  bool d_joint = false;
  int batch_size = 128;
  int n_epoch = 32;  // the last epoch, not how many more
  double lr = 2e-4;
  double beta1 = 0.5, beta2 = 0.999;
  double weight_decay = 0.05;
  double lr_final = 1;         // the rate at the end as a share of lr, reached along a half cosine
  double label_smoothing = 0;  // of bce only
  double instance_noise = 0;   // standard deviation of the noise on D's input, reals and fakes, in [-1, 1]
  double clip_gradients = 0;   // largest norm; 0 for none
  double r1_gamma = 0;         // 0 for none
  int r1_every = 4;            // steps
  bool diff_colour = false, diff_translation = false;
  double diff_strength = 1;  // of the changes of colour
  bool diff_synced = false;  // a real picture and the fake beside it are changed in the same way
  double ema_kimg = 0;       // half life of the generator's average in thousands of images; 0 for no average
  double ema_share = 0.05;   // of the images seen, which the half life does not exceed
  // The frozen network that the discriminator looks through: "none", "auto", or a file. A run that trains
  // knows which: auto is resolved before it begins.
  std::string features = "none";
  std::string init;  // a run or checkpoint whose networks it begins with; empty: from the seed

  // What it is trained on.
  FilterConfig filters;
  // As the reference: a square of four times the picture's side, and no mirrored streets.
  AugmentConfig augment{.crop_size = {CropSize::Unit::kSamples, 4}, .flip = false};
  double noise = 0;                    // standard deviation of the noise on photographs, of pixels in [0, 1]
  double max_unreadable = 0.1;         // share of an epoch's photographs
  int64_t max_per_sequence_epoch = 0;  // frames; 0 for all

  // Where it runs.
  DeviceChoice device = DeviceChoice::kAuto;
  ChannelsLast channels_last = ChannelsLast::kAuto;
  Precision precision = Precision::kAuto;
  Kernels kernels = Kernels::kAuto;  // for the CPU
  int threads = 0;                   // of LibTorch; 0 for all cores, shared by the processes on the machine
  int workers = 0;                   // of the loader; likewise

  // Several processes.
  bool sync_bn = false;  // batch norm sees the batches of all of them
  GradientCompression gradient_compression = GradientCompression::kNone;
  double bucket_mb = 25;      // gradients that are sent at once
  double dist_timeout = 600;  // seconds to wait for the others

  // What is kept and shown.
  int log_frequency = 50;  // batches
  int save_frequency = 1;  // epochs
  double save_minutes = 15;
  double max_minutes = 0;  // 0 for no limit
  MinutesOf minutes_of = MinutesOf::kClock;
  int64_t keep_last = 0;  // 0 for all
  KeepBest keep_best = KeepBest::kNone;
  OnNan on_nan = OnNan::kStop;
  bool logging = true;  // TensorBoard
  bool histograms = false;
  bool profile = false;
  int profile_wait = 10, profile_warmup = 2, profile_steps = 6;
  int metrics_port = 0;  // 0 for none
  std::string metrics_host = "127.0.0.1";
  std::string s3_bucket;  // where the command uploads slim checkpoints to; empty or "False": nowhere
  bool s3_every_save = false;

  void declare(Options& options);
  // Throws a usage error for what the ranges of the options cannot say.
  void check() const;

  LoaderConfig loader() const;  // batches of training, or of pictures to compare with
  SamplerConfig sampler() const;

 private:
  void declare_details(Options& options);
};

// Loss and discriminator as one word, as versions before --loss had it: "classic" or "streets". Throws a
// usage error.
void apply_recipe(TrainConfig& config, const std::string& name);

// Settings that an earlier version saved, in the terms of this one: it knew the full height only.
boost::json::object upgraded_run_settings(boost::json::object settings);

// Parameter sets by name: the write-up's (naive-64, clamp-64 also called safe-64, safe-128, safe-128-large,
// with or without "-params" inside) and ours (streets-64, streets-128). Throws a usage error that lists them.
// Ours look through a frozen network where there is one, and have another discriminator where there is none.
TrainConfig train_preset(const std::string& name, bool with_features = false);
std::vector<std::string> train_preset_names();

}  // namespace nowhere
