#include "net/http_message.h"

#include <fmt/chrono.h>

#include <chrono>
#include <utility>

namespace nowhere {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

// Whether every server and proxy finds the end of the body in the same place. The parser ignores codings that
// it does not know; what it takes for the next request would then begin within the body.
bool has_one_end(const BeastRequest& request) {
  const size_t codings = request.count(http::field::transfer_encoding);
  if (codings == 0) return true;
  return codings == 1 && request.version() >= 11 && request.count(http::field::content_length) == 0 &&
         beast::iequals(request[http::field::transfer_encoding], "chunked");
}

}  // namespace

int status_of(const boost::system::error_code& error) {
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

bool convert(BeastRequest& from, const std::string& address, HttpRequest& to) {
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

BeastResponse convert(const HttpResponse& from, const HttpHeaders& common, bool keep_alive) {
  BeastResponse to;
  to.version(11);
  to.result(static_cast<unsigned>(from.status));
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  to.set(http::field::date, fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now)));
  for (const auto& [name, value] : from.headers) to.insert(name, value);
  for (const auto& [name, value] : common)
    if (to.find(name) == to.end()) to.set(name, value);
  to.keep_alive(keep_alive);
  if (!may_have_body(from.status)) return to;
  const auto bytes = from.body.bytes();
  if (!from.content_type.empty()) to.set(http::field::content_type, from.content_type);
  to.content_length(bytes.size());
  to.body() = beast::span<const uint8_t>(bytes.data(), bytes.size());
  return to;
}

}  // namespace nowhere
