// A whole service with fake models, for tests to talk to.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "net/test_client.h"
#include "serve/fake_model.h"
#include "serve/service.h"

namespace nowhere {

class ServiceTest : public testing::Test {
 protected:
  static ServeConfig config() {
    ServeConfig config;
    config.port = 0;
    config.threads = 2;
    return config;
  }
  void start(const ServeConfig& config = ServiceTest::config()) {
    service_.reset();
    service_ = std::make_unique<Service>(config, provider_);
  }
  ~ServiceTest() override { provider_.gate.open(); }  // so that the service can stop

  std::string get(std::string_view target, std::string_view headers = "", std::string_view method = "GET") {
    TestClient client(service_->port());
    client.send(asking(target, headers, method));
    return client.response(method == "HEAD");
  }
  static std::string asking(std::string_view target, std::string_view headers = "",
                            std::string_view method = "GET") {
    return std::string(method)
        .append(" ")
        .append(target)
        .append(" HTTP/1.1\r\nHost: test\r\n")
        .append(headers)
        .append("\r\n");
  }
  int status(std::string_view target, std::string_view headers = "", std::string_view method = "GET") {
    return status_of(get(target, headers, method));
  }
  static int status_of(const std::string& response) {
    return response.size() > 12 ? std::stoi(response.substr(9, 3)) : 0;
  }
  static std::string header(const std::string& response, const std::string& name) {
    const size_t at = response.find("\r\n" + name + ": ");
    if (at == std::string::npos || at > response.find("\r\n\r\n")) return "";
    const size_t begin = at + name.size() + 4;
    return response.substr(begin, response.find("\r\n", begin) - begin);
  }
  static std::string body(const std::string& response) {
    return response.substr(response.find("\r\n\r\n") + 4);
  }

  FakeModelProvider provider_;
  std::unique_ptr<Service> service_;
};

}  // namespace nowhere
