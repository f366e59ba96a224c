#include "serve/load_bench.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "net/loopback_client.h"

namespace nowhere {
namespace {

constexpr const char* kSheet = "/gan_imgs";
constexpr int64_t kPicturesOfSheet = 16;

struct ClientLog {
  std::vector<double> seconds;  // of each request
  int64_t bytes = 0;
};

void ask(LoopbackClient& client, ClientLog& log) {
  const Stopwatch watch;
  const LoopbackClient::Answer answer = client.get(kSheet);
  constexpr int kOk = 200;
  if (answer.status != kOk)
    throw Error(
        fmt::format("the server answered {} with status {}; give fewer --clients", kSheet, answer.status));
  log.seconds.push_back(watch.seconds());
  log.bytes += static_cast<int64_t>(answer.bytes);
}

double percentile_ms(std::vector<double>& seconds, double share) {
  const auto place =
      seconds.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(seconds.size() - 1));
  std::nth_element(seconds.begin(), place, seconds.end());
  return 1000 * *place;
}

}  // namespace

ServeLoad bench_server(uint16_t port, int clients, double seconds, const std::function<bool()>& stop) {
  std::vector<ClientLog> logs(static_cast<size_t>(clients));
  {
    LoopbackClient first(port);
    ClientLog unused;
    ask(first, unused);
  }
  const Stopwatch watch;
  parallel_for(logs.size(), clients, [&](size_t i) {
    LoopbackClient client(port);
    do ask(client, logs[i]);
    while (watch.seconds() < seconds && !stop());
  });
  ServeLoad load{.seconds = watch.seconds()};
  std::vector<double> all;
  for (const ClientLog& log : logs) {
    all.insert(all.end(), log.seconds.begin(), log.seconds.end());
    load.bytes += log.bytes;
  }
  load.requests = static_cast<int64_t>(all.size());
  load.pictures = kPicturesOfSheet * load.requests;
  load.median_ms = percentile_ms(all, 0.5);
  load.slowest_percent_ms = percentile_ms(all, 0.99);
  return load;
}

}  // namespace nowhere
