// For tests: a group of ranks that are threads of this process.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dist/group.h"

namespace nowhere {

// A listening socket on a free port of the loopback address; the store of rank 0 takes it over.
inline std::pair<int, uint16_t> listen_somewhere() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket, plain, length) != 0 || ::listen(socket, 16) != 0 ||
      ::getsockname(socket, plain, &length) != 0)
    throw std::runtime_error("no port to listen on");
  return {socket, ntohs(address.sin_port)};
}

// Calls `work` for every rank at once, and gives what each of them threw, by rank.
inline std::vector<std::exception_ptr> try_ranks(int size, const std::function<void(Group&)>& work,
                                                 GroupOptions options = {
                                                     .timeout = std::chrono::seconds(60)}) {
  const auto [socket, port] = listen_somewhere();
  std::vector<std::exception_ptr> thrown(static_cast<size_t>(size));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank, socket = socket, port = port] {
      try {
        World world{.rank = rank, .size = size, .local_rank = rank, .local_size = size};
        world.address = "127.0.0.1";
        world.port = port;
        if (rank == 0) world.listening = socket;
        Group group(world, torch::kCPU, options);
        work(group);
      } catch (...) {
        thrown[static_cast<size_t>(rank)] = std::current_exception();
      }
    });
  threads.clear();  // waits for all
  return thrown;
}

// The same, where nothing is to be thrown.
inline void on_ranks(int size, const std::function<void(Group&)>& work, GroupOptions options = {}) {
  for (const std::exception_ptr& thrown : try_ranks(size, work, options))
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace nowhere
