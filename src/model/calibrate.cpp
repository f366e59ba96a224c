#include "model/calibrate.h"

#include "model/generator_input.h"

namespace nowhere {
namespace {

void copy_weights(const Generator& from, Generator& to) {
  const auto parameters = from->named_parameters(), buffers = from->named_buffers();
  for (auto& item : to->named_parameters()) item.value().copy_(parameters[item.key()]);
  for (auto& item : to->named_buffers()) item.value().copy_(buffers[item.key()]);
}

}  // namespace

Generator calibrated(const Generator& generator, const ModelConfig& config) {
  constexpr uint64_t kBatches = 8;
  constexpr int64_t kBatch = 64;
  const torch::NoGradGuard no_gradients;
  const torch::Device device = generator->parameters().front().device();
  Generator copy(config);
  copy->to(device);
  copy_weights(generator, copy);
  std::vector<std::pair<torch::nn::BatchNorm2dImpl*, std::optional<double>>> norms;
  for (const auto& module : copy->modules())
    if (auto* norm = module->as<torch::nn::BatchNorm2d>(); norm != nullptr) {
      norms.emplace_back(norm, norm->options.momentum());
      norm->reset_running_stats();
      norm->options.momentum(std::nullopt);  // the plain mean over what comes now
    }
  copy->train();
  for (uint64_t batch = 0; batch < kBatches; ++batch)
    copy(draw_input(kBatch, config.nz, 0, Purpose::kCalibrate, {batch}).to(device));
  for (auto& [norm, momentum] : norms) norm->options.momentum(momentum);
  copy->eval();
  return copy;
}

}  // namespace nowhere
