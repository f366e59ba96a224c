#include "train/optimizer_state.h"

#include <fmt/core.h>

#include "core/error.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

Dict dict(std::initializer_list<std::pair<const char*, Value>> entries) {
  Dict made;
  for (const auto& [key, value] : entries) made.add(key, value);
  return made;
}

// Python keeps the step as a tensor or, before 1.12, as a number.
torch::Tensor step_of(const Value& value) {
  if (value.tensor() != nullptr && value.tensor()->count() == 1)
    return from_data(*value.tensor()).reshape({});
  return torch::full({}, value.number().value_or(0));
}

void load_moment(torch::Tensor& moment, const Value* value, const std::string& what) {
  if (value == nullptr || value->tensor() == nullptr) throw data_error(what + " is missing");
  if (value->tensor()->shape != moment.sizes().vec())
    throw data_error(fmt::format("{} is {}, but this configuration wants {}", what,
                                 shape_text(value->tensor()->shape), shape_text(moment.sizes().vec())));
  if (value->tensor()->repeats()) throw data_error(what + " repeats fewer numbers; save a contiguous copy");
  moment.copy_(from_data(*value->tensor()));
}

}  // namespace

Dict optimizer_state(const Adam& adam) {
  Dict state;
  List numbers;
  const auto& moments = adam.moments();
  for (size_t i = 0; i < moments.size(); ++i) {
    state.add(static_cast<int64_t>(i), dict({{"step", to_data(moments[i].step)},
                                             {"exp_avg", to_data(moments[i].first)},
                                             {"exp_avg_sq", to_data(moments[i].second)}}));
    numbers.items.emplace_back(static_cast<int64_t>(i));
  }
  const AdamConfig& config = adam.config();
  Tuple betas;
  betas.items = {config.beta1, config.beta2};
  List groups;
  groups.items.push_back(dict({{"lr", config.lr},
                               {"betas", betas},
                               {"eps", config.epsilon},
                               {"weight_decay", config.weight_decay},
                               {"amsgrad", false},
                               {"maximize", false},
                               {"foreach", Value()},
                               {"capturable", false},
                               {"differentiable", false},
                               {"fused", true},
                               {"params", numbers}}));
  return dict({{"state", state}, {"param_groups", groups}});
}

void load_optimizer_state(Adam& adam, const Value& value, const std::string& where) {
  const Value* state = value.find("state");
  if (state == nullptr || state->dict() == nullptr) throw data_error(where + " holds no optimizer state");
  if (state->dict()->entries.empty()) return;
  const torch::NoGradGuard no_gradients;
  for (size_t i = 0; i < adam.moments().size(); ++i) {
    const std::string what = fmt::format("{}, parameter {}", where, i);
    const Value* entry = state->dict()->find(static_cast<int64_t>(i));
    if (entry == nullptr || entry->find("step") == nullptr) throw data_error(what + " is missing");
    AdamMoments& moments = adam.moments()[i];
    load_moment(moments.first, entry->find("exp_avg"), what + ", exp_avg");
    load_moment(moments.second, entry->find("exp_avg_sq"), what + ", exp_avg_sq");
    moments.step.copy_(step_of(*entry->find("step")));
  }
}

}  // namespace nowhere
