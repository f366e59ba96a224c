#include "net/connection_table.h"

namespace nowhere {
namespace {

constexpr size_t kMaxRefusals = 64;  // at a time; each takes a descriptor for up to a second

}  // namespace

Admission ConnectionTable::admit(const std::shared_ptr<Connection>& connection, const std::string& client) {
  const std::lock_guard lock(mutex_);
  if (closed_) return Admission::kNone;
  const auto same = served_by_client_.find(client);
  const size_t by_client = same == served_by_client_.end() ? 0 : same->second;
  const bool serve = served_ < max_ && (max_per_client_ == 0 || by_client < max_per_client_);
  if (!serve && entries_.size() - served_ >= kMaxRefusals) return Admission::kNone;
  entries_.emplace(connection, Entry{client, serve});
  if (!serve) return Admission::kRefuse;
  served_by_client_[client] = by_client + 1;
  ++served_;
  return Admission::kServe;
}

void ConnectionTable::remove(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(connection);
  if (found == entries_.end()) return;
  if (found->second.served) {
    --served_;
    // Clients that have left are forgotten: the table would grow with every client that ever connected.
    const auto client = served_by_client_.find(found->second.client);
    if (--client->second == 0) served_by_client_.erase(client);
  }
  entries_.erase(found);
  if (entries_.empty()) empty_.notify_all();
}

size_t ConnectionTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::vector<std::shared_ptr<Connection>> ConnectionTable::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  std::vector<std::shared_ptr<Connection>> left;
  for (const auto& [connection, entry] : entries_) left.push_back(connection);
  return left;
}

bool ConnectionTable::wait_until_empty(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return empty_.wait_for(lock, limit, [this] { return entries_.empty(); });
}

}  // namespace nowhere
