// HTTP by libcurl, which signs requests too. Connections are kept for the next request.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "s3/web.h"

namespace nowhere {

class CurlClient : public WebClient {
 public:
  // Requests in progress are given up when `stopped` says so. `certificates`: a file, or empty for the
  // system's.
  explicit CurlClient(std::function<bool()> stopped = {}, std::string certificates = "");
  ~CurlClient() override;
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  WebReply send(const WebRequest& request) override;

 private:
  struct Handle;
  std::unique_ptr<Handle> take();
  void give_back(std::unique_ptr<Handle> handle);

  std::function<bool()> stopped_;
  std::string certificates_;
  std::mutex mutex_;  // guards idle_
  std::vector<std::unique_ptr<Handle>> idle_;
};

}  // namespace nowhere
