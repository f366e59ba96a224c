#include "net/connection.h"

#include <fmt/core.h>

#include <exception>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/stopwatch.h"
#include "net/deferred_response.h"
#include "net/http_message.h"

namespace nowhere {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

// Errors as values: a client that leaves is expected.
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr size_t kReadBytes = 4096;
constexpr size_t kLingerBytes = 64 * 1024;
constexpr std::chrono::seconds kLinger{1};

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, std::string address, const ServerConfig& config,
                       const HttpHandler& handler)
    : stream_(std::move(socket)),
      // Room for the largest header and for what arrived behind it in the same read.
      buffer_(config.header_limit + 64 * 1024),
      response_timer_(stream_.get_executor()),
      address_(std::move(address)),
      config_(config),
      handler_(handler) {}

asio::awaitable<void> Connection::serve() {
  try {
    while (!draining_ && co_await serve_one() == Then::kNextRequest) continue;
    if (!draining_) co_await linger();
  } catch (const std::exception&) {  // out of memory at worst: this connection ends, the server goes on
  }
  stream_.close();
}

asio::awaitable<void> Connection::refuse(HttpResponse response) {
  try {
    report(response);
    co_await write(response, false, false);
    co_await linger();
  } catch (const std::exception&) {  // as above
  }
  stream_.close();
}

void Connection::drain() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->draining_ = true;
    if (self->idle_) self->stream_.close();
  });
}

void Connection::close() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->draining_ = self->closed_ = true;
    self->stream_.close();
    self->response_timer_.cancel();
  });
}

void Connection::wake() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] { self->response_timer_.cancel(); });
}

asio::awaitable<Connection::Then> Connection::serve_one() {
  if (!co_await wait_for_request()) co_return Then::kClose;

  Parser parser;
  const error_code error = co_await read_request(parser);
  if (const int status = error ? status_of(error) : 200; status != 200) {
    if (status != 0) co_await refuse_request(status);
    co_return Then::kClose;
  }

  HttpRequest request;
  // HTTP/1.0 clients would need a header of their own to keep the connection.
  const bool keep_alive = parser.get().version() >= 11 && parser.get().keep_alive();
  if (!convert(parser.get(), address_, request)) {
    co_await refuse_request(400);
    co_return Then::kClose;
  }
  const Stopwatch stopwatch;
  const HttpResponse response = co_await respond(request);
  if (config_.on_response) config_.on_response(request, response, stopwatch.seconds());
  co_return co_await write(response, request.method == "HEAD", keep_alive && !draining_);
}

// Until the first bytes of a request arrive: a client may be idle longer between requests than within one.
asio::awaitable<bool> Connection::wait_for_request() {
  if (buffer_.size() > 0) co_return true;  // sent together with the previous request
  idle_ = true;
  stream_.expires_after(config_.idle_deadline);
  const auto [error, count] = co_await stream_.async_read_some(buffer_.prepare(kReadBytes), kAwait);
  idle_ = false;
  buffer_.commit(count);
  co_return !error;
}

asio::awaitable<error_code> Connection::read_request(Parser& parser) {
  parser.header_limit(config_.header_limit);
  parser.body_limit(config_.body_limit);
  // Covers all the reads that follow: a client that sends a byte now and then gains no time.
  stream_.expires_after(config_.request_deadline);
  if (const auto [error, count] = co_await http::async_read_header(stream_, buffer_, parser, kAwait); error)
    co_return error;
  if (!parser.is_done() && beast::iequals(parser.get()[http::field::expect], "100-continue"))
    co_await write_continue();
  const auto [error, count] = co_await http::async_read(stream_, buffer_, parser, kAwait);
  co_return error;
}

asio::awaitable<void> Connection::write_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  // A failure shows up in the next read.
  co_await asio::async_write(stream_, asio::buffer(kContinue.data(), kContinue.size()), kAwait);
}

asio::awaitable<Connection::Then> Connection::write(const HttpResponse& response, bool headers_only,
                                                    bool keep_alive) {
  auto message = convert(response, config_.headers, keep_alive);
  http::response_serializer<BeastResponse::body_type> serializer(message);
  stream_.expires_after(config_.write_deadline);
  error_code error;
  if (headers_only || !may_have_body(response.status))
    std::tie(error, std::ignore) = co_await http::async_write_header(stream_, serializer, kAwait);
  else
    std::tie(error, std::ignore) = co_await http::async_write(stream_, serializer, kAwait);
  co_return !error && keep_alive ? Then::kNextRequest : Then::kClose;
}

// Closing while the client still sends would reset the connection, and it might lose our last response.
asio::awaitable<void> Connection::linger() {
  error_code error;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
  idle_ = true;
  buffer_.clear();
  stream_.expires_after(kLinger);
  for (size_t read = 0; !error && read < kLingerBytes;) {
    size_t count = 0;
    std::tie(error, count) = co_await stream_.async_read_some(buffer_.prepare(kReadBytes), kAwait);
    read += count;
  }
}

// For a request that was not, or could not be, read.
void Connection::report(const HttpResponse& response) const {
  HttpRequest unread;
  unread.remote_address = address_;
  if (config_.on_response) config_.on_response(unread, response, 0);
}

asio::awaitable<void> Connection::refuse_request(int status) {
  const HttpResponse response = error_response(status, reason_of(status));
  report(response);
  co_await write(response, false, false);
}

asio::awaitable<HttpResponse> Connection::respond(HttpRequest& request) {
  std::string failure;
  try {
    HttpReply reply = handler_(request);
    if (!reply.later) co_return checked(std::move(reply.response));
    co_return checked(co_await wait_for_response(std::move(reply.later)));
  } catch (const std::exception& error) {
    failure = error.what();
  } catch (...) {
    failure = "an exception of unknown type";
  }
  co_return internal_error(failure);
}

asio::awaitable<HttpResponse> Connection::wait_for_response(std::function<void(HttpRespond)> begin) {
  const auto deferred = std::make_shared<DeferredResponse>([this] { wake(); });
  const DeferredResponse::Closer closer(*deferred);
  response_timer_.expires_after(config_.answer_deadline);
  begin([deferred](HttpResponse response) { deferred->give(std::move(response)); });
  bool late = false;
  // The wait also ends when it is woken for an earlier request: there is no response yet, then.
  while (!deferred->given() && !late && !closed_) {
    const auto [error] = co_await response_timer_.async_wait(kAwait);
    late = !error;
  }
  if (deferred->given()) co_return deferred->take();
  HttpResponse response = error_response(503, "this took too long");
  response.headers.emplace_back("Retry-After", "1");
  co_return response;
}

HttpResponse Connection::checked(HttpResponse response) const {
  if (response.status >= 200 && response.status <= 599 && sendable(response.headers) &&
      sendable({{"Content-Type", response.content_type}}))
    return response;
  return internal_error(
      fmt::format("a response with status {} or headers that cannot be sent", response.status));
}

HttpResponse Connection::internal_error(const std::string& what) const {
  if (config_.on_handler_error) config_.on_handler_error(what);
  return error_response(500, "internal error");
}

}  // namespace nowhere
