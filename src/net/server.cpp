#include "net/server.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <vector>

#include "core/error.h"
#include "net/beast.h"
#include "net/connection.h"
#include "net/connection_table.h"

namespace nowhere {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

tcp::endpoint endpoint_of(const ServerConfig& config) {
  error_code error;
  const auto literal = asio::ip::make_address(config.host, error);
  if (!error) return {literal, config.port};
  asio::io_context io;
  const auto found = tcp::resolver(io).resolve(config.host, "", tcp::resolver::passive, error);
  if (error || found.empty())
    throw usage_error(fmt::format("there is no host {}; give another {}", config.host, config.host_option));
  return {found.begin()->endpoint().address(), config.port};
}

Error cannot_listen(const ServerConfig& config, const error_code& error) {
  if (error == asio::error::address_in_use)
    return usage_error(
        fmt::format("port {} on {} is taken; give another {}", config.port, config.host, config.port_option));
  if (error == asio::error::access_denied)
    return usage_error(fmt::format("port {} on {} is reserved for the system; give another {}", config.port,
                                   config.host, config.port_option));
  if (error.value() == EADDRNOTAVAIL)
    return usage_error(fmt::format("{} is not an address of this machine; give another {}", config.host,
                                   config.host_option));
  return Error(
      fmt::format("cannot listen on {} port {}: {}", config.host, config.port, system_reason(error.value())));
}

tcp::acceptor listen(asio::io_context& io, const ServerConfig& config) {
  const tcp::endpoint endpoint = endpoint_of(config);
  tcp::acceptor acceptor(asio::any_io_executor(asio::make_strand(io)));
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  // A server that is started again need not wait for the system to forget the connections of the one before.
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
  if (error) throw cannot_listen(config, error);
  return acceptor;
}

asio::ip::address plain(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  return address;
}

// What counts as one client: an IPv4 address, or the /64 of an IPv6 address.
std::string client_of(const asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), uint8_t{0});
  return asio::ip::address_v6(bytes).to_string();
}

}  // namespace

struct HttpServer::Impl {
  const ServerConfig config;
  const HttpHandler handler;
  asio::io_context io;
  ConnectionTable table;
  tcp::acceptor acceptor;
  const uint16_t port;
  std::atomic<bool> stopped = false;
  std::vector<std::jthread> threads;  // last: they use everything above

  Impl(ServerConfig given, HttpHandler handle)
      : config(std::move(given)),
        handler(std::move(handle)),
        io(config.threads),
        table(config.max_connections, config.max_connections_per_address),
        acceptor(listen(io, config)),
        port(acceptor.local_endpoint().port()) {
    asio::co_spawn(acceptor.get_executor(), accept(), asio::detached);
    try {
      for (int thread = 0; thread < std::max(config.threads, 1); ++thread)
        threads.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      io.stop();
      throw Error(fmt::format("cannot start the server's threads: {}", system_reason(error.code().value())));
    }
  }

  // Ends when nothing is left to do: no listening socket and no open connection.
  void work() {
    for (bool done = false; !done;) {
      try {
        io.run();
        done = true;
      } catch (const std::exception&) {  // out of memory at worst: that operation is lost, the server goes on
      }
    }
  }

  asio::awaitable<void> accept() {
    asio::steady_timer pause(acceptor.get_executor());
    while (acceptor.is_open()) {
      auto [error, socket] =
          co_await acceptor.async_accept(asio::any_io_executor(asio::make_strand(io)), kAwait);
      if (!error) {
        try {
          start(std::move(socket));
        } catch (const std::exception&) {  // as in work(): this connection is lost
        }
      } else if (acceptor.is_open()) {
        // No descriptors left, most likely: trying again at once would only waste CPU time.
        pause.expires_after(std::chrono::milliseconds(100));
        co_await pause.async_wait(kAwait);
      }
    }
  }

  void start(tcp::socket socket) {
    error_code error;
    const auto remote = socket.remote_endpoint(error);
    if (error) return;  // the client has left already
    socket.set_option(tcp::no_delay(true),
                      error);  // the end of a large response does not wait for an acknowledgement
    const auto address = plain(remote.address());
    const std::string client = client_of(address);
    const auto connection =
        std::make_shared<Connection>(std::move(socket), address.to_string(), config, handler);
    const Admission admission = table.admit(connection, client);
    if (admission == Admission::kNone) return;
    auto life = admission == Admission::kServe ? connection->serve() : connection->refuse(full());
    asio::co_spawn(connection->executor(), std::move(life),
                   [this, connection](const std::exception_ptr&) { table.remove(connection); });
  }

  static HttpResponse full() {
    HttpResponse response = error_response(503, "too many connections");
    response.headers.emplace_back("Retry-After", "1");
    return response;
  }

  void stop() {
    if (stopped.exchange(true)) return;
    asio::post(acceptor.get_executor(), [this] {
      error_code ignored;
      acceptor.close(ignored);
    });
    for (const auto& connection : table.close()) connection->drain();
    if (!table.wait_until_empty(config.drain_deadline))
      for (const auto& connection : table.close()) connection->close();
    threads.clear();  // joins
  }
};

HttpServer::HttpServer(ServerConfig config, HttpHandler handler)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(handler))) {}

HttpServer::~HttpServer() {
  stop();
}

uint16_t HttpServer::port() const {
  return impl_->port;
}

size_t HttpServer::connections() const {
  return impl_->table.size();
}

void HttpServer::stop() {
  impl_->stop();
}

}  // namespace nowhere
