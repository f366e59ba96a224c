// One client's connection. For server.cpp only: it brings the whole of Asio and Beast along.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/beast.h"
#include "net/server.h"

namespace nowhere {

// Everything happens on the socket's executor, a strand: one thing at a time. Only drain(), cut() and wake() may be
// called from elsewhere. `config` and `handler` outlive it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, std::string address, const ServerConfig& config,
             const HttpHandler& handler);

  // Answers requests until the client leaves, misbehaves or is too slow. Does not throw.
  boost::asio::awaitable<void> serve();
  // Says no to a client before it has asked. Does not throw.
  boost::asio::awaitable<void> refuse(HttpResponse response);

  auto executor() { return stream_.get_executor(); }
  void drain();  // closes it now, or after the request that is under way
  void cut();    // closes it, whatever is under way
  void wake();   // there may be an answer

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  enum class Then { kNextRequest, kClose };

  boost::asio::awaitable<Then> serve_one();
  boost::asio::awaitable<bool> wait_for_request();
  boost::asio::awaitable<boost::system::error_code> read_request(Parser& parser);
  boost::asio::awaitable<Then> write(const HttpResponse& response, bool headers_only, bool keep_alive);
  boost::asio::awaitable<void> write_continue();
  boost::asio::awaitable<void> linger();
  void tell_of(const HttpResponse& response) const;
  boost::asio::awaitable<void> refuse_request(int status);
  boost::asio::awaitable<HttpResponse> answer(const HttpRequest& request);
  boost::asio::awaitable<HttpResponse> wait_for_answer(std::function<void(HttpRespond)> begin);
  HttpResponse checked(HttpResponse response) const;
  HttpResponse internal_error(const std::string& what) const;

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  boost::asio::steady_timer answer_timer_;  // ends the wait for a later answer
  const std::string address_;
  const ServerConfig& config_;
  const HttpHandler& handler_;
  bool idle_ = true;  // nothing is lost when it is closed now
  bool draining_ = false;
  bool cut_ = false;
};

}  // namespace nowhere
