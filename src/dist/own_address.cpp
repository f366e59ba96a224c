#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "core/descriptor.h"
#include "core/error.h"
#include "dist/backends.h"

namespace nowhere {
namespace {

std::string text_of(const sockaddr* address, socklen_t length) {
  std::array<char, NI_MAXHOST> text{};
  if (::getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) return "";
  return text.data();
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

// What the system would send from: connecting a datagram socket sends nothing.
std::string address_towards(const std::string& host, uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list); error != 0)
    throw Error(fmt::format("the host {} of MASTER_ADDR is not known here: {}", host, ::gai_strerror(error)));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    const Descriptor socket(::socket(one->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    auto* plain = reinterpret_cast<sockaddr*>(&own);
    if (socket.is_open() && ::connect(socket.number(), one->ai_addr, one->ai_addrlen) == 0 &&
        ::getsockname(socket.number(), plain, &length) == 0)
      return text_of(plain, length);
  }
  throw Error(fmt::format("there is no route to the host {} of MASTER_ADDR", host));
}

// The IPv4 address of an interface, or of the first that other machines can reach.
std::optional<std::string> interface_address(const char* name) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET || (one->ifa_flags & IFF_UP) == 0)
      continue;
    const bool wanted =
        name != nullptr ? std::strcmp(name, one->ifa_name) == 0 : (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (wanted) return text_of(one->ifa_addr, sizeof(sockaddr_in));
  }
  return std::nullopt;
}

}  // namespace

std::string own_address(const std::string& store_host, uint16_t port, bool others) {
  if (const char* name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr && *name != 0) {
    if (const auto address = interface_address(name)) return *address;
    throw usage_error(fmt::format("GLOO_SOCKET_IFNAME is '{}', and no such interface is up here", name));
  }
  const std::string address = address_towards(store_host, port);
  // On rank 0's machine its own name often means the loopback address, which others cannot reach.
  if (others && is_loopback(address)) return interface_address(nullptr).value_or(address);
  return address;
}

}  // namespace nowhere
