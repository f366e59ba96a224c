#include "train/config.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "model/networks.h"
#include "train/plan.h"
#include "train/players.h"

namespace nowhere {
namespace {

TEST(TrainConfig, ParameterCountsAreTheWriteUps) {
  struct Row {
    const char* preset;
    int64_t generator, discriminator;
  };
  for (const Row& row : {Row{"naive-64", 3'576'704, 2'765'568}, Row{"clamp-64", 52'448'768, 2'765'568},
                         Row{"safe-64", 52'448'768, 2'765'568}, Row{"safe-128", 48'772'864, 2'796'928},
                         Row{"safe-128-large", 195'063'296, 44'611'072}}) {
    const TrainConfig config = train_preset(row.preset);
    EXPECT_EQ(count_parameters(*Generator(config.model)), row.generator) << row.preset;
    EXPECT_EQ(count_parameters(*Discriminator(config.model)), row.discriminator) << row.preset;
    const Workload work = workload_of(config);
    EXPECT_EQ(work.generator.parameters(), row.generator);
    EXPECT_EQ(work.discriminator.parameters(), row.discriminator);
  }
}

TEST(TrainConfig, PicturesAreColouredOrGrey) {
  TrainConfig config;
  for (const int channels : {1, 3}) {
    config.model.nc = channels;
    EXPECT_NO_THROW(config.check());
  }
  for (const int channels : {2, 4}) {
    config.model.nc = channels;
    EXPECT_THROW(config.check(), Error);
  }
}

TEST(Plan, ANormCountsWithTheLayerBeforeIt) {
  const Workload work = workload_of(train_preset("naive-64"));
  ASSERT_EQ(work.generator.layers.size(), 5U);
  EXPECT_EQ(work.generator.layers[0].parameters, 100 * 512 * 16 + 2 * 512);
  EXPECT_EQ(work.generator.layers[0].multiplications, 100 * 512 * 16);
  ASSERT_EQ(work.discriminator.layers.size(), 5U);
  EXPECT_EQ(work.discriminator.layers[1].parameters, 64 * 128 * 16 + 2 * 128);
  EXPECT_EQ(work.discriminator.layers[1].multiplications, 64 * 128 * 16 * 16 * 16);
}

TEST(Plan, StepsWithAPenaltyHaveTheirShare) {
  EXPECT_DOUBLE_EQ(mean_step_seconds(1, 3, 4), 1.5);
  EXPECT_DOUBLE_EQ(mean_step_seconds(2, 2, 1), 2);
}

TEST(TrainConfig, DefaultsAreTheReferences) {
  TrainConfig config;
  Options options;
  config.declare(options);
  const auto json = options.to_json();
  EXPECT_EQ(json.at("nc"), 3);
  EXPECT_EQ(json.at("nz"), 128);
  EXPECT_EQ(json.at("ngf"), 128);
  EXPECT_EQ(json.at("ndf"), 32);
  EXPECT_EQ(json.at("lr"), 2e-4);
  EXPECT_EQ(json.at("beta1"), 0.5);
  EXPECT_EQ(json.at("beta2"), 0.999);
  EXPECT_EQ(json.at("batch_size"), 128);
  EXPECT_EQ(json.at("img_size"), 128);
  EXPECT_EQ(json.at("weight_decay"), 0.05);
  EXPECT_EQ(json.at("n_epoch"), 32);
  EXPECT_EQ(json.at("log_frequency"), 50);
  EXPECT_EQ(json.at("save_frequency"), 1);
}

TEST(TrainConfig, ClassicPresetsSeePhotographsAsTheReferenceDoes) {
  for (const char* preset : {"naive-64", "clamp-64", "safe-64", "safe-128", "safe-128-large"}) {
    const TrainConfig config = train_preset(preset);
    EXPECT_FALSE(config.augment.flip) << preset;
    EXPECT_EQ(config.augment.crop_size.side(4000, config.model.img_size), 4 * config.model.img_size);
    EXPECT_EQ(config.augment.max_shift, 0.3);
    EXPECT_EQ(config.noise, std::string(preset) == "naive-64" ? 0 : 0.05) << preset;
    EXPECT_EQ(config.instance_noise, 0) << preset;
    const SampleConfig sample = config.loader().sample;
    EXPECT_EQ(sample.size, config.model.img_size);
    EXPECT_EQ(sample.noise, config.noise);
    EXPECT_EQ(sample.augment.crop_size, config.augment.crop_size);
  }
  const TrainConfig streets = train_preset("streets-64");
  EXPECT_TRUE(streets.augment.flip);
  EXPECT_TRUE(streets.augment.crop_size.is_full());
  EXPECT_EQ(streets.noise, 0);
}

TEST(TrainConfig, SettingsSavedBeforeCropSizeMeanTheFullHeight) {
  const boost::json::object saved{{"dataroot", "streets"}, {"crop", "random"}, {"flip", true}};
  EXPECT_EQ(upgraded_run_settings(saved).at("crop_size"), "full");
  EXPECT_FALSE(upgraded_run_settings({{"flip", true}}).contains("crop_size"));  // a user's few keys
}

TEST(TrainConfig, RecipesOfEarlierVersionsStillLoad) {
  const TrainConfig preset = train_preset("streets-64");
  TrainConfig old;
  Options options;
  old.declare(options);
  options.from_json(upgraded_settings({{"recipe", "streets"}}), "config.json");
  EXPECT_EQ(old.loss, preset.loss);
  EXPECT_EQ(old.model.d_batch_norm, preset.model.d_batch_norm);
  EXPECT_EQ(old.d_joint, preset.d_joint);
  apply_recipe(old, "classic");
  EXPECT_EQ(old.loss, TrainConfig().loss);
  EXPECT_EQ(old.model.d_batch_norm, true);
  EXPECT_EQ(old.d_joint, false);
  EXPECT_THROW(apply_recipe(old, "other"), Error);
}

TEST(TrainConfig, NamesOfTheWriteUpAreKnown) {
  EXPECT_EQ(train_preset("Naive-Params-64").model, train_preset("naive-64").model);
  EXPECT_EQ(train_preset("Safe-Params-64").model, train_preset("clamp-64").model);
  EXPECT_EQ(train_preset("Safe-Params-128").model, train_preset("safe-128").model);
  EXPECT_THROW(train_preset("naive-65"), Error);
}

TEST(TrainConfig, JsonIsReadBackAndChecked) {
  TrainConfig first = train_preset("streets-64"), second;
  Options a, b;
  first.declare(a);
  second.declare(b);
  b.from_json(a.to_json(), "it");
  EXPECT_EQ(a.to_json(), b.to_json());
  try {
    b.from_json({{"batchsize", 3}}, "-t");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "-t: unknown key 'batchsize'; did you mean batch_size?");
  }
  EXPECT_THROW(b.from_json({{"lr", -1}}, "-t"), Error);
  EXPECT_THROW(b.from_json({{"lr", 0}}, "-t"), Error);
  EXPECT_THROW(b.from_json({{"batch_size", 0}}, "-t"), Error);
}

}  // namespace
}  // namespace nowhere
