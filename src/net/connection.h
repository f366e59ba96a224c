// One client's connection. For server.cpp only: it brings the whole of Asio and Beast along.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/beast.h"
#include "net/server.h"

namespace nowhere {

// Everything happens on the socket's executor, a strand: one thing at a time. Only drain(), close() and
// wake() may be called from other threads. `config` and `handler` outlive it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, std::string address, const ServerConfig& config,
             const HttpHandler& handler);

  // Serves requests until the client leaves, misbehaves or is too slow. Does not throw.
  boost::asio::awaitable<void> serve();
  // Sends a refusal to a client before its first request. Does not throw.
  boost::asio::awaitable<void> refuse(HttpResponse response);

  auto executor() { return stream_.get_executor(); }
  void drain();  // closes it now, or after the request in progress
  void close();  // closes it, whatever is in progress
  void wake();   // there may be a response

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  enum class Then { kNextRequest, kClose };

  boost::asio::awaitable<Then> serve_one();
  boost::asio::awaitable<bool> wait_for_request();
  boost::asio::awaitable<boost::system::error_code> read_request(Parser& parser);
  boost::asio::awaitable<Then> write(const HttpResponse& response, bool headers_only, bool keep_alive);
  boost::asio::awaitable<void> write_continue();
  boost::asio::awaitable<void> linger();
  void report(const HttpResponse& response) const;
  boost::asio::awaitable<void> refuse_request(int status);
  boost::asio::awaitable<HttpResponse> respond(HttpRequest& request);
  boost::asio::awaitable<HttpResponse> wait_for_response(std::function<void(HttpRespond)> begin);
  HttpResponse checked(HttpResponse response) const;
  HttpResponse internal_error(const std::string& what) const;

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  boost::asio::steady_timer response_timer_;  // ends the wait for a deferred response
  const std::string address_;
  const ServerConfig& config_;
  const HttpHandler& handler_;
  bool idle_ = true;  // no request is in progress
  bool draining_ = false;
  bool closed_ = false;
};

}  // namespace nowhere
