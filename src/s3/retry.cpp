#include "s3/retry.h"

#include <algorithm>
#include <random>
#include <thread>

namespace nowhere {
namespace {

bool sleep_until_stopped(std::chrono::milliseconds time, const std::function<bool()>& stopped) {
  constexpr std::chrono::milliseconds kNap{50};
  const auto end = std::chrono::steady_clock::now() + time;
  while (!(stopped && stopped())) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= left.zero()) return true;
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(left, kNap));
  }
  return false;
}

}  // namespace

std::chrono::milliseconds Retry::wait_after(int attempt) const {
  constexpr int kMostDoublings = 20;  // beyond that `longest` decides anyway
  const auto doubled = first * (int64_t{1} << std::min(attempt - 1, kMostDoublings));
  const auto whole = std::min<std::chrono::milliseconds>(doubled, longest);
  return std::chrono::milliseconds(
      static_cast<int64_t>(static_cast<double>(whole.count()) * (1 + draw()) / 2));
}

Retry make_retry(int attempts, std::function<bool()> stopped) {
  // Not to be repeatable, unlike all else that is drawn: machines that fail together must differ.
  return {.attempts = attempts,
          .draw =
              [] {
                std::random_device device;
                return std::uniform_real_distribution<double>()(device);
              },
          .sleep = [stopped = std::move(stopped)](
                       std::chrono::milliseconds time) { return sleep_until_stopped(time, stopped); }};
}

}  // namespace nowhere
