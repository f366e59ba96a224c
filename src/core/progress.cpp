#include "core/progress.h"

#include <fmt/core.h>

#include <utility>

#include "core/console.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr int kBarCells = 24;

std::string bar(double share) {
  const int full = static_cast<int>(share * kBarCells);
  std::string cells;
  for (int i = 0; i < kBarCells; ++i) cells += i < full ? "━" : "─";
  return cells;
}

}  // namespace

Progress::Progress(std::string title, std::string unit, int64_t total)
    : title_(std::move(title)), unit_(std::move(unit)), total_(total), next_line_(start_ + kLineInterval) {}

void Progress::update(int64_t done) {
  if (first_ < 0) first_ = done;
  done_ = done;
  if (status_.on_terminal() && !status_.due()) return;
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (status_.on_terminal()) {
    status_.draw(line(elapsed));
  } else if (now >= next_line_) {
    print_message(line(elapsed) + "\n");
    next_line_ = now + kLineInterval;
  }
}

std::string Progress::line(double elapsed) const {
  const double share = total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 0;
  const double rate = elapsed > 0 ? static_cast<double>(done_ - first_) / elapsed : 0;
  std::string text = fmt::format("{} {} {:3.0f}%  {}/{} {}", title_, bar(share), share * 100,
                                 with_commas(done_), with_commas(total_), unit_);
  if (rate > 0)
    text += fmt::format("  {}/s  {} left", with_commas(static_cast<int64_t>(rate)),
                        human_time(static_cast<double>(total_ - done_) / rate));
  return text;
}

}  // namespace nowhere
