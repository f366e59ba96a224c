#include "train/plan.h"

#include "core/stopwatch.h"
#include "model/architectures/architecture.h"
#include "model/architectures/discriminator_parts.h"
#include "model/feature_file.h"
#include "model/feature_maps.h"
#include "model/generator_input.h"
#include "train/picture_history.h"
#include "train/step.h"

namespace nowhere {
namespace {

constexpr uint64_t kFloat = sizeof(float);

double measure_speed(const TrainConfig& config, const torch::Device& device, Precision precision) {
  const int64_t group = config.model.d_group;
  const int64_t small_batch = group > 0 ? (4 + group - 1) / group * group : 4;
  Players players(config, device, precision);
  GanStep step(config, players, device, precision);
  const int64_t side = config.model.img_size;
  const torch::Tensor real =
      torch::zeros({small_batch, side, side, config.model.nc}).permute({0, 3, 1, 2}).to(device);
  const auto seconds_of = [&](uint64_t number) {
    const Stopwatch watch;
    step(real, draw_input(small_batch, config.model.nz, 0, Purpose::kLatent).to(device), number)
        .g_loss.item();
    return watch.seconds();
  };
  // The first is slow: kernels are chosen, memory is taken. Step 0 and every r1_every-th have the penalty.
  const auto every = static_cast<uint64_t>(config.r1_gamma > 0 ? config.r1_every : 1);
  seconds_of(0);
  const double penalised = seconds_of(every), plain = every > 1 ? seconds_of(every + 1) : penalised;
  return static_cast<double>(small_batch) / mean_step_seconds(plain, penalised, static_cast<int>(every));
}

struct FrozenFacts {
  std::vector<MapShape> maps;
  int64_t activations = 0;
  uint64_t parameters = 0;
};

FrozenFacts frozen_facts(const TrainConfig& config) {
  if (config.features == kNoFeatures) return {};
  const auto frozen = open_feature_maps(config.features, config.model.img_size);
  return {frozen->shapes(), frozen->activations(), static_cast<uint64_t>(frozen->parameters())};
}

}  // namespace

double mean_step_seconds(double plain, double penalised, int every) {
  return ((every - 1) * plain + penalised) / every;
}

Plan make_plan(const TrainConfig& config, const torch::Device& device, Precision precision, bool measure) {
  const auto side = static_cast<uint64_t>(config.model.img_size),
             batch = static_cast<uint64_t>(config.batch_size);
  // Counted from the descriptions, without building anything: a mistyped width must not ask for all memory.
  const NetworkDescription generator = describe_generator(config.model);
  const FrozenFacts frozen = frozen_facts(config);
  Plan plan;
  plan.generator_parameters = generator.parameters();
  int64_t seen = 0;  // numbers that D's passes on a picture keep
  for (const DiscriminatorPart& part : discriminator_parts(config.model, frozen.maps)) {
    plan.discriminator_parameters += part.network.parameters();
    seen += part.network.activations();
  }
  const auto parameters = static_cast<uint64_t>(plan.generator_parameters + plan.discriminator_parameters);
  const uint64_t average = config.ema_kimg > 0 ? static_cast<uint64_t>(plan.generator_parameters) : 0;
  // D's passes on reals and fakes, G's and the frozen network's on the fakes are alive at once.
  const auto passes = static_cast<uint64_t>(2 * seen + frozen.activations + generator.activations());
  constexpr uint64_t kBatchesAhead = 4, kCopies = 4;  // weights, gradients, two moments
  const auto saves =
      static_cast<uint64_t>((config.n_epoch + config.save_frequency - 1) / config.save_frequency);
  const uint64_t pictures = PictureHistory::bytes_after(saves, config.model);
  plan.memory_bytes = kFloat * (kCopies * parameters + average + frozen.parameters + batch * passes +
                                kBatchesAhead * batch * 3 * side * side) +
                      pictures;
  plan.checkpoint_bytes = kFloat * (3 * parameters + average) + pictures;
  if (measure) plan.images_per_second = measure_speed(config, device, precision);
  return plan;
}

}  // namespace nowhere
