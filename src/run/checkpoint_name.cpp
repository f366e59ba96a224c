#include "run/checkpoint_name.h"

#include <fmt/core.h>

#include <charconv>

namespace nowhere {
namespace {

constexpr std::string_view kSlim = "slim_", kCheckpoint = "checkpoint_", kBatch = "_batch_", kEnding = ".pt";

bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Decimal digits at the front of `text`, at most 18 of them.
std::optional<uint64_t> take_number(std::string_view& text) {
  constexpr size_t kMaxDigits = 18;
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > kMaxDigits) return std::nullopt;
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + digits, number);
  text.remove_prefix(digits);
  return number;
}

}  // namespace

std::string CheckpointName::file_name() const {
  return fmt::format("{}{}{}{}{}", slim ? kSlim : "", kCheckpoint, epoch,
                     within_epoch() ? fmt::format("{}{}", kBatch, batches) : "", kEnding);
}

std::optional<CheckpointName> CheckpointName::parse(std::string_view text) {
  CheckpointName name;
  name.slim = skip(text, kSlim);
  if (!skip(text, kCheckpoint)) return std::nullopt;
  const auto epoch = take_number(text);
  if (!epoch) return std::nullopt;
  name.epoch = *epoch;
  if (skip(text, kBatch)) {
    const auto batches = take_number(text);
    if (!batches) return std::nullopt;
    name.batches = *batches;
  }
  if (text != kEnding) return std::nullopt;
  return name;
}

}  // namespace nowhere
