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
  kRefuse,  // too many: to be told so
  kNone,    // so many that not even all refusals can be said, or the server is stopping
};

// Any thread may call anything. Holds each connection until it is removed.
class ConnectionTable {
 public:
  // At most `most` at a time are served, and at most `most_each` (0: any number) of one client.
  ConnectionTable(size_t most, size_t most_each) : most_(most), most_each_(most_each) {}

  // Unless it answers kNone, the connection is in the table until remove().
  Admission admit(const std::shared_ptr<Connection>& connection, const std::string& client);
  void remove(const std::shared_ptr<Connection>& connection);
  size_t size() const;

  // Admits no more. Those that are left.
  std::vector<std::shared_ptr<Connection>> close();
  // False when some are left after that time.
  bool wait_until_empty(std::chrono::milliseconds limit);

 private:
  struct Entry {
    std::string client;
    bool served;
  };

  const size_t most_;
  const size_t most_each_;
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::map<std::shared_ptr<Connection>, Entry> entries_;
  std::map<std::string, size_t> served_by_client_;
  size_t served_ = 0;
  bool closed_ = false;
};

}  // namespace nowhere
