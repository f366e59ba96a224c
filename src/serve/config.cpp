#include "serve/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr size_t kMinTokenLength = 16;
constexpr std::string_view kAnyOrigin = "*";

bool visible(char c) {
  return c > 0x20 && c < 0x7f;
}

// As browsers send it: scheme://host or scheme://host:port, in lower case, without a trailing slash.
bool is_origin(const std::string& text) {
  const size_t host = text.find("://");
  const bool known = text.starts_with("http://") || text.starts_with("https://");
  return known && text == lower(text) && text.size() > host + 3 && std::ranges::all_of(text, visible) &&
         text.find_first_of("/?#@,*", host + 3) == std::string::npos;
}

}  // namespace

void ServeConfig::declare(Options& options) {
  options.text("host", host, "HOST", "the address to listen on; 0.0.0.0 for all addresses of this machine");
  options.integer("port", port, 0, 65535, "the port to listen on; 0 for any free one");
  options.words("allow-origin", allow_origin, "ORIGIN",
                "sites whose pages may use the server: https://a.example; * for all");
  options.text("token-file", token_file, "FILE", "a secret that clients have to send; or set NOWHERE_TOKEN");
  options.text("access-log", access_log, "FILE", "one line of JSON per request; - for the terminal");
  options.detail();
  options.integer("max-batch", max_batch, 1, 256, "pictures made together at most");
  options.number("batch-delay-ms", batch_delay_ms, 0, 5, "how long the first of a batch waits for others");
  options.integer("queue", queue, 512, 65536, "pictures in progress; further requests are answered 503");
  options.integer("cache-mb", cache_mb, 0, 65536, "megabytes of encoded pictures to keep");
  options.integer("threads", threads, 0, 1024, "threads that encode pictures; 0 for one per core");
  options.integer("max-connections", max_connections, 1, 65536, "connections at a time");
  options.integer("connections-per-address", connections_per_address, 0, 65536,
                  "connections of one client at a time; 0 for any number, behind a proxy");
  options.number("request-deadline", request_deadline, 0.1, 3600, "seconds from a request to its response");
  options.number("idle-deadline", idle_deadline, 0.1, 3600, "seconds that a connection may be idle");
  options.number("drain-deadline", drain_deadline, 0, 3600,
                 "seconds that unfinished requests get at shutdown");
}

void ServeConfig::check() const {
  if (!token.empty() && std::ranges::find(allow_origin, kAnyOrigin) != allow_origin.end())
    throw usage_error(
        "--allow-origin '*' opens the server to every page, but a token closes it to strangers; "
        "name the sites that may send the token, or start the server without one");
  for (const std::string& origin : allow_origin)
    if (origin != kAnyOrigin && !is_origin(origin))
      throw usage_error(fmt::format(
          "--allow-origin: '{}' is not an origin; give it as https://site.example, without a path, "
          "or give * for every site",
          printable_text(origin)));
}

void ServeConfig::read_token() {
  std::string where = "--token-file";
  if (!token_file.empty()) {
    std::vector<uint8_t> bytes;
    if (const auto read = read_file(token_file, bytes); !read)
      throw usage_error(fmt::format("{}; give another --token-file", read.error().reason));
    token.assign(bytes.begin(), bytes.end());
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  } else if (const char* given = std::getenv("NOWHERE_TOKEN"); given != nullptr) {
    token = given;
    where = "NOWHERE_TOKEN";
  } else {
    return;
  }
  if (token.size() < kMinTokenLength || !std::ranges::all_of(token, visible))
    throw usage_error(fmt::format("{}: the token has to be one line of at least {} letters and digits", where,
                                  kMinTokenLength));
}

}  // namespace nowhere
