// Requests for the same thing at the same time: it is made once.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "net/http.h"

namespace nowhere {

// How the making of a picture ended.
struct Made {
  int status = 200;
  std::string message;  // unless the status is 200
  HttpBody body;
  std::string digest;  // of the model
};

// Any thread may call anything.
class SingleFlight {
 public:
  using Waiter = std::function<void(const Made&)>;

  // True for the first to ask for that key: it has to see to it that finish() is called. Waiters are called by finish().
  bool join(const std::string& key, Waiter waiter);
  // Tells all who wait. Whoever asks from here on is a first again.
  void finish(const std::string& key, const Made& made);

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<Waiter>> waiting_;
};

}  // namespace nowhere
