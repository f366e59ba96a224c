// Which connections are open, and how many more may be.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace nowhere {

class Connection;

enum class Admission {
  kServe,
  kRefuse,  // too many connections: the client is told so
  kNone,    // too many even to refuse them all, or the server is stopping
};

// Any thread may call anything. Holds each connection until it is removed.
class ConnectionTable {
 public:
  // Serves at most `max` connections at a time, and at most `max_per_client` (0: any number) of one client.
  ConnectionTable(size_t max, size_t max_per_client) : max_(max), max_per_client_(max_per_client) {}

  // Unless the result is kNone, the connection is in the table until remove().
  Admission admit(const std::shared_ptr<Connection>& connection, const std::string& client);
  void remove(const std::shared_ptr<Connection>& connection);
  size_t size() const;

  // Admits no more, and returns the connections that are left.
  std::vector<std::shared_ptr<Connection>> close();
  // False when some are left after that time.
  bool wait_until_empty(std::chrono::milliseconds limit);

 private:
  struct Entry {
    std::string client;
    bool served;
  };

  const size_t max_;
  const size_t max_per_client_;
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::map<std::shared_ptr<Connection>, Entry> entries_;
  std::map<std::string, size_t> served_by_client_;
  size_t served_ = 0;
  bool closed_ = false;
};

}  // namespace nowhere
