#include "report/number_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace nowhere {
namespace {

constexpr const char* kDash = "–";

// The number of decimals that gives `digits` significant digits.
int decimals_for(double value, int digits) {
  if (value == 0) return 0;
  const double magnitude = std::floor(std::log10(std::abs(value)));
  return static_cast<int>(std::clamp(digits - 1 - magnitude, 0.0, 6.0));
}

std::string fixed_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_of("123456789") == std::string::npos && value < 0) text.erase(0, 1);  // no "-0"
  const size_t whole = std::min(text.find('.'), text.size());
  // Beyond 18 digits commas do not help.
  const auto number = whole <= 18 ? parse_integer(std::string_view(text).substr(0, whole)) : std::nullopt;
  if (!number || (*number > -1000 && *number < 1000)) return text;
  return with_commas(*number) + text.substr(whole);
}

}  // namespace

std::string number_text(double value) {
  if (!std::isfinite(value)) return kDash;
  if (value != 0 && std::abs(value) < 1e-4) return fmt::format("{:.2g}", value);
  return fixed_text(value, decimals_for(value, 3));
}

std::string number_text(const MeanScore& score) {
  if (!std::isfinite(score.mean) || !std::isfinite(score.error) || score.error <= 0)
    return number_text(score.mean);
  const int decimals = decimals_for(score.error, 2);
  return fmt::format("{} ± {}", fixed_text(score.mean, decimals), fixed_text(score.error, decimals));
}

std::string ratio_text(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : kDash;
}

std::string percent_text(double share) {
  if (!std::isfinite(share)) return kDash;
  const double percent = share * 100;
  return fmt::format("{:.{}f} %", percent, percent == 0 || percent >= 9.95 ? 0 : percent < 0.095 ? 2 : 1);
}

}  // namespace nowhere
