// A response that another thread gives to the connection that waits for it.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "net/http.h"

namespace nowhere {

// Any thread may call anything. May outlive the connection: `wake` is called only between construction and
// close().
class DeferredResponse {
 public:
  explicit DeferredResponse(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Closes it at the end of a scope.
  class Closer {
   public:
    explicit Closer(DeferredResponse& response) : response_(response) {}
    ~Closer() { response_.close(); }
    Closer(const Closer&) = delete;
    Closer& operator=(const Closer&) = delete;

   private:
    DeferredResponse& response_;
  };

  void give(HttpResponse response) {
    const std::lock_guard lock(mutex_);
    if (closed_ || response_) return;
    response_ = std::move(response);
    wake_();
  }
  bool given() const {
    const std::lock_guard lock(mutex_);
    return response_.has_value();
  }
  HttpResponse take() {
    const std::lock_guard lock(mutex_);
    return std::move(*response_);
  }
  // Nobody waits for it any more.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  mutable std::mutex mutex_;
  const std::function<void()> wake_;
  std::optional<HttpResponse> response_;
  bool closed_ = false;
};

}  // namespace nowhere
