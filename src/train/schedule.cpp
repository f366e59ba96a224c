#include "train/schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <numbers>

namespace nowhere {
namespace {

// Empty when the checkpoint has none.
boost::json::object settings_in(const Value& checkpoint) {
  const Value* text = checkpoint.find("config");
  if (text == nullptr || text->text() == nullptr) return {};
  boost::system::error_code error;
  const auto json = boost::json::parse(*text->text(), error);
  return error || !json.is_object() ? boost::json::object() : json.as_object();
}

}  // namespace

double scheduled_rate(const TrainConfig& config, uint64_t done, uint64_t all) {
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const double cosine = (1 + std::cos(std::numbers::pi * share)) / 2;
  return config.lr * (config.lr_final + (1 - config.lr_final) * cosine);
}

double saved_minutes(const Value& checkpoint) {
  const auto settings = settings_in(checkpoint);
  const auto* minutes = settings.if_contains("max_minutes");
  return minutes != nullptr && minutes->is_number() ? minutes->to_number<double>() : 0;
}

std::optional<std::string> schedule_warning(const TrainConfig& config, const Value& checkpoint) {
  const auto settings = settings_in(checkpoint);
  const auto* before = settings.if_contains("n_epoch");
  if (config.lr_final == 1 || config.max_minutes > 0) return std::nullopt;
  if (before == nullptr || *before == boost::json::value(config.n_epoch)) return std::nullopt;
  return fmt::format("the last epoch was {} and is {} now: the learning rate goes on as in a run to epoch {}",
                     boost::json::serialize(*before), config.n_epoch, config.n_epoch);
}

}  // namespace nowhere
