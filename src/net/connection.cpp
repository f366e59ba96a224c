#include "net/connection.h"

#include <fmt/chrono.h>

#include <exception>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/stopwatch.h"
#include "net/late_answer.h"

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

// What the client is told before it is cut; 0: it is gone or too slow, and is told nothing.
int status_of(const error_code& error) {
  if (error == http::error::end_of_stream) return 0;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  const bool malformed = error.category() == make_error_code(http::error::bad_method).category();
  return malformed ? 400 : 0;
}

std::string_view reason_of(int status) {
  if (status == 431) return "request headers too large";
  if (status == 413) return "request body too large";
  return "malformed request";
}

// Whether everybody on the way finds the end of its body in the same place. The parser ignores codings that it does
// not know; what it takes for the next request would then begin within the body.
bool has_one_end(const http::request<http::string_body>& request) {
  const size_t codings = request.count(http::field::transfer_encoding);
  if (codings == 0) return true;
  return codings == 1 && request.version() >= 11 && request.count(http::field::content_length) == 0 &&
         beast::iequals(request[http::field::transfer_encoding], "chunked");
}

// False when it cannot be served, though it parses.
bool convert(http::request<http::string_body>& from, const std::string& address, HttpRequest& to) {
  to.method = std::string(from.method_string());
  to.remote_address = address;
  for (const auto& header : from) to.headers.emplace_back(header.name_string(), header.value());
  to.body = std::move(from.body());
  const bool names_host = from.version() < 11 || from.count(http::field::host) == 1;
  return names_host && has_one_end(from) &&
         set_target(to, std::string_view(from.target().data(), from.target().size()));
}

bool may_have_body(int status) {
  return status >= 200 && status != 204 && status != 304;
}

http::response<http::span_body<const uint8_t>> convert(const HttpResponse& from, const HttpHeaders& common,
                                                       bool keep_alive) {
  http::response<http::span_body<const uint8_t>> to;
  to.version(11);
  to.result(static_cast<unsigned>(from.status));
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  to.set(http::field::date, fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now)));
  for (const auto& [name, value] : common) to.set(name, value);
  for (const auto& [name, value] : from.headers) to.insert(name, value);
  to.keep_alive(keep_alive);
  if (!may_have_body(from.status)) return to;
  const auto bytes = from.body.bytes();
  if (!from.content_type.empty()) to.set(http::field::content_type, from.content_type);
  to.content_length(bytes.size());
  to.body() = beast::span<const uint8_t>(bytes.data(), bytes.size());
  return to;
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, std::string address, const ServerConfig& config,
                       const HttpHandler& handler)
    : stream_(std::move(socket)),
      // Room for the largest header and what came behind it in the same read.
      buffer_(config.header_limit + 64 * 1024),
      answer_timer_(stream_.get_executor()),
      address_(std::move(address)),
      config_(config),
      handler_(handler) {}

asio::awaitable<void> Connection::serve() {
  try {
    while (!draining_ && co_await serve_one() == Then::kNextRequest) continue;
    if (!draining_) co_await linger();
  } catch (const std::exception&) {  // out of memory, at worst: this connection ends, the server goes on
  }
  stream_.close();
}

asio::awaitable<void> Connection::refuse(HttpResponse response) {
  try {
    tell_of(response);
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

void Connection::cut() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->draining_ = self->cut_ = true;
    self->stream_.close();
    self->answer_timer_.cancel();
  });
}

void Connection::wake() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] { self->answer_timer_.cancel(); });
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
  // Clients that speak HTTP/1.0 would have to be told in a way of their own that they may stay.
  const bool keep_alive = parser.get().version() >= 11 && parser.get().keep_alive();
  if (!convert(parser.get(), address_, request)) {
    co_await refuse_request(400);
    co_return Then::kClose;
  }
  const Stopwatch stopwatch;
  const HttpResponse response = co_await answer(request);
  if (config_.on_response) config_.on_response(request, response, stopwatch.seconds());
  co_return co_await write(response, request.method == "HEAD", keep_alive && !draining_);
}

// Until the first bytes of a request are there: a client may be silent for longer between requests than within one.
asio::awaitable<bool> Connection::wait_for_request() {
  if (buffer_.size() > 0) co_return true;  // sent together with the one before
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
  // Holds for all the reads that follow: a client that sends a byte now and then does not win time.
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
  // A failure shows in the read that follows.
  co_await asio::async_write(stream_, asio::buffer(kContinue.data(), kContinue.size()), kAwait);
}

asio::awaitable<Connection::Then> Connection::write(const HttpResponse& response, bool headers_only,
                                                    bool keep_alive) {
  auto message = convert(response, config_.headers, keep_alive);
  http::response_serializer<http::span_body<const uint8_t>> serializer(message);
  stream_.expires_after(config_.write_deadline);
  error_code error;
  if (headers_only || !may_have_body(response.status))
    std::tie(error, std::ignore) = co_await http::async_write_header(stream_, serializer, kAwait);
  else
    std::tie(error, std::ignore) = co_await http::async_write(stream_, serializer, kAwait);
  co_return !error && keep_alive ? Then::kNextRequest : Then::kClose;
}

// Closing while the client still sends would reset the connection, and the client might lose our last response.
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

// The answer to a request that was not or could not be read.
void Connection::tell_of(const HttpResponse& response) const {
  HttpRequest unread;
  unread.remote_address = address_;
  if (config_.on_response) config_.on_response(unread, response, 0);
}

asio::awaitable<void> Connection::refuse_request(int status) {
  const HttpResponse response = error_response(status, reason_of(status));
  tell_of(response);
  co_await write(response, false, false);
}

asio::awaitable<HttpResponse> Connection::answer(const HttpRequest& request) {
  std::string failure;
  try {
    HttpReply reply = handler_(request);
    if (!reply.later) co_return checked(std::move(reply.response));
    co_return checked(co_await wait_for_answer(std::move(reply.later)));
  } catch (const std::exception& error) {
    failure = error.what();
  } catch (...) {
    failure = "an exception of unknown type";
  }
  co_return internal_error(failure);
}

asio::awaitable<HttpResponse> Connection::wait_for_answer(std::function<void(HttpRespond)> begin) {
  const auto answer = std::make_shared<LateAnswer>([this] { wake(); });
  const LateAnswer::Closer closer(*answer);
  answer_timer_.expires_after(config_.answer_deadline);
  begin([answer](HttpResponse response) { answer->give(std::move(response)); });
  bool late = false;
  // A wait also ends when somebody was woken for the request before: then there is nothing yet.
  while (!answer->given() && !late && !cut_) {
    const auto [error] = co_await answer_timer_.async_wait(kAwait);
    late = !error;
  }
  if (answer->given()) co_return answer->take();
  HttpResponse response = error_response(503, "this took too long");
  response.headers.emplace_back("Retry-After", "1");
  co_return response;
}

HttpResponse Connection::checked(HttpResponse response) const {
  if (response.status >= 200 && response.status <= 599 && sendable(response.headers) &&
      sendable({{"Content-Type", response.content_type}}))
    return response;
  return internal_error(
      fmt::format("a response with status {} and headers that cannot be sent", response.status));
}

HttpResponse Connection::internal_error(const std::string& what) const {
  if (config_.on_handler_error) config_.on_handler_error(what);
  return error_response(500, "internal error");
}

}  // namespace nowhere
