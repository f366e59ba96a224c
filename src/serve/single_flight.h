// Identical requests at the same time: the picture is made once, for all of them.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "net/http.h"

namespace nowhere {

// An encoded picture, or why there is none.
struct EncodedResult {
  int status = 200;
  std::string message;  // unless the status is 200
  HttpBody body;
  std::string digest;  // of the model
};

// Any thread may call anything.
class SingleFlight {
 public:
  using Waiter = std::function<void(const EncodedResult&)>;

  // True for the first request with this key: its caller has to see to it that finish() is called. finish()
  // calls the waiters.
  bool join(const std::string& key, Waiter waiter);
  // Calls all waiters. The next join() with this key is the first again.
  void finish(const std::string& key, const EncodedResult& result);

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<Waiter>> waiting_;
};

}  // namespace nowhere
