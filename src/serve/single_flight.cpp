#include "serve/single_flight.h"

#include <utility>

namespace nowhere {

bool SingleFlight::join(const std::string& key, Waiter waiter) {
  const std::lock_guard lock(mutex_);
  std::vector<Waiter>& waiters = waiting_[key];
  waiters.push_back(std::move(waiter));
  return waiters.size() == 1;
}

void SingleFlight::finish(const std::string& key, const EncodedResult& result) {
  std::vector<Waiter> waiters;
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(key);
    if (found == waiting_.end()) return;
    waiters = std::move(found->second);
    waiting_.erase(found);
  }
  for (const Waiter& waiter : waiters) waiter(result);
}

}  // namespace nowhere
