#include "train/plan.h"

#include "core/stopwatch.h"
#include "model/draws.h"
#include "train/step.h"

namespace nowhere {
namespace {

constexpr uint64_t kFloat = sizeof(float);
constexpr int64_t kTaps = 16;  // of a 4 x 4 convolution

// Numbers that one picture's way through a network leaves behind: each layer's output, and that of the batch norm and
// the activation after it. Both networks halve or double the same pyramid: width channels at full resolution and, with
// every halving of the side, twice the channels on a quarter of the area.
uint64_t activations(uint64_t width, uint64_t side) {
  uint64_t numbers = 0;
  for (uint64_t size = side / 2, channels = width; size >= 4; size /= 2, channels *= 2)
    numbers += 3 * channels * size * size;
  return numbers + 3 * side * side;
}

// Counted as the networks are built, without building them: a mistyped width must not ask for all memory.
int64_t generator_parameters(const ModelConfig& config) {
  int64_t channels = int64_t{config.ngf} * config.img_size / 8;
  int64_t count = config.nz * channels * kTaps;
  for (int size = 4;; size *= 2) {
    count += 2 * channels;  // batch norm
    if (size == config.img_size / 2) return count + channels * config.nc * kTaps;
    count += channels * (channels / 2) * kTaps;
    channels /= 2;
  }
}

int64_t discriminator_parameters(const ModelConfig& config, const DiscriminatorImpl::Traits& traits) {
  int64_t channels = config.ndf, count = config.nc * channels * kTaps;
  for (int size = config.img_size / 2; size > 4; size /= 2) {
    count += channels * channels * 2 * kTaps;
    channels *= 2;
    if (traits.batch_norm) count += 2 * channels;
  }
  return count + (channels + (traits.group > 0 ? 1 : 0)) * kTaps;
}

double measure_speed(const TrainConfig& config, const torch::Device& device, Precision precision) {
  const int64_t small_batch =
      config.d_group > 0 ? (4 + config.d_group - 1) / config.d_group * config.d_group : 4;
  Players players(config, device, precision);
  GanStep step(config, players, device, precision);
  const int64_t side = config.model.img_size;
  const torch::Tensor real =
      torch::zeros({small_batch, side, side, kChannels}).permute({0, 3, 1, 2}).to(device);
  Stopwatch watch;
  // The first is slow: kernels are chosen, memory is taken.
  for (uint64_t number = 0; number < 2; ++number) {
    watch.lap();
    step(real, draw_latents(small_batch, config.model.nz, 0, Purpose::kLatent).to(device), number + 1)
        .g_loss.item();
  }
  return static_cast<double>(small_batch) / watch.seconds();
}

}  // namespace

Plan make_plan(const TrainConfig& config, const torch::Device& device, Precision precision, bool measure) {
  const auto side = static_cast<uint64_t>(config.model.img_size),
             batch = static_cast<uint64_t>(config.batch_size);
  Plan plan;
  plan.generator_parameters = generator_parameters(config.model);
  plan.discriminator_parameters = discriminator_parameters(config.model, traits_of(config));
  const auto parameters = static_cast<uint64_t>(plan.generator_parameters + plan.discriminator_parameters);
  const uint64_t average = config.ema_kimg > 0 ? static_cast<uint64_t>(plan.generator_parameters) : 0;
  // D's pass on reals, on fakes and G's own are alive at once.
  const uint64_t passes = 2 * activations(static_cast<uint64_t>(config.model.ndf), side) +
                          activations(static_cast<uint64_t>(config.model.ngf), side);
  constexpr uint64_t kBatchesAhead = 4, kCopies = 4;  // weights, gradients, two moments
  plan.memory_bytes =
      kFloat * (kCopies * parameters + average + batch * passes + kBatchesAhead * batch * 3 * side * side);
  plan.checkpoint_bytes = kFloat * (3 * parameters + average);
  if (measure) plan.images_per_second = measure_speed(config, device, precision);
  return plan;
}

}  // namespace nowhere
