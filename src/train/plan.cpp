#include "train/plan.h"

#include "core/stopwatch.h"
#include "device/device.h"
#include "model/architectures/architecture.h"
#include "model/architectures/discriminator_parts.h"
#include "model/feature_file.h"
#include "model/feature_maps.h"
#include "model/generator_input.h"
#include "train/picture_history.h"
#include "train/step.h"

namespace nowhere {
namespace {

// A norm, a scale or a bias of a layer's own counts with the layer before it.
void count_layers(NetworkWork& work, const NetworkDescription& network) {
  for (const Layer& layer : network.layers()) {
    if (layer.inputs.empty()) continue;
    LayerWork own{.multiplications = multiplications_of(layer, network.input_of(layer))};
    for (const TensorDescription& tensor : tensors_of(layer, network.input_of(layer)))
      if (tensor.role == TensorDescription::Role::kParameter) own.parameters += tensor.count();
    if (own.multiplications > 0 || work.layers.empty())
      work.layers.push_back(own);
    else
      work.layers.back().parameters += own.parameters;
  }
  work.activations += network.activations();
}

}  // namespace

Workload workload_of(const TrainConfig& config) {
  Workload work{.batch = config.batch_size, .size = config.model.img_size, .averaged = config.ema_kimg > 0};
  count_layers(work.generator, describe_generator(config.model));
  std::vector<MapShape> maps;
  if (config.features != kNoFeatures) {
    const auto frozen = open_feature_maps(config.features, config.model.img_size);
    maps = frozen->shapes();
    work.frozen = {frozen->parameters(), frozen->multiplications(), frozen->activations()};
  }
  for (const DiscriminatorPart& part : discriminator_parts(config.model, maps))
    count_layers(work.discriminator, part.network);
  const auto saves =
      static_cast<uint64_t>((config.n_epoch + config.save_frequency - 1) / config.save_frequency);
  work.history_bytes = PictureHistory::bytes_after(saves, config.model);
  return work;
}

double mean_step_seconds(double plain, double penalised, int every) {
  return ((every - 1) * plain + penalised) / every;
}

double measure_speed(const TrainConfig& config, int device_number) {
  const torch::Device device = open_device(config.device, device_number);
  const Precision precision = resolve_precision(config.precision, device);
  set_compute_threads(config.threads);
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

}  // namespace nowhere
