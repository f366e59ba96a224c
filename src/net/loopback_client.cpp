#include "net/loopback_client.h"

#include <fmt/core.h>

#include "core/error.h"
#include "net/beast.h"

namespace nowhere {
namespace {

namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

void check_sent(const boost::system::error_code& error, uint16_t port) {
  if (error)
    throw Error(
        fmt::format("the server on port {} of this machine does not answer: {}", port, error.message()));
}

}  // namespace

struct LoopbackClient::Impl {
  uint16_t port;
  asio::io_context context{1};
  asio::ip::tcp::socket socket{context};
  boost::beast::flat_buffer buffer;  // what arrived beyond the last answer
};

LoopbackClient::LoopbackClient(uint16_t port) : impl_(std::make_unique<Impl>(port)) {
  boost::system::error_code error;
  impl_->socket.connect({asio::ip::address_v4::loopback(), port}, error);
  check_sent(error, port);
}

LoopbackClient::~LoopbackClient() = default;

LoopbackClient::Answer LoopbackClient::get(const std::string& target) {
  constexpr int kHttp11 = 11;
  beast_http::request<beast_http::empty_body> request(beast_http::verb::get, target, kHttp11);
  request.set(beast_http::field::host, "localhost");
  boost::system::error_code error;
  beast_http::write(impl_->socket, request, error);
  check_sent(error, impl_->port);
  beast_http::response_parser<beast_http::string_body> answer;
  answer.body_limit(boost::none);
  beast_http::read(impl_->socket, impl_->buffer, answer, error);
  check_sent(error, impl_->port);
  return {static_cast<int>(answer.get().result_int()), answer.get().body().size()};
}

}  // namespace nowhere
