#include "plan/scaling.h"

#include <algorithm>

namespace nowhere {
namespace {

constexpr double kFloat32 = 4;  // bytes
// The reducer's defaults: the first bucket is small, so that communication begins early.
constexpr double kFirstBucket = 1 << 20, kBucket = 25 << 20;

// How long an update waits after a backward pass of so many seconds. Gradients are ready from the last layer
// to the first; a layer is not split. A bucket is sent when it is full and the one before is done.
double exposed_seconds(const NetworkWork& network, double backward, int devices, const LinkSpeed& link) {
  const auto total = static_cast<double>(network.multiplications());
  double ready = 0, arrived = 0, bytes = 0, share = 0, limit = kFirstBucket;
  const auto send = [&] {
    ready += backward * share;
    arrived = std::max(ready, arrived) + ring_seconds(bytes, devices, link);
    bytes = share = 0;
    limit = kBucket;
  };
  for (auto layer = network.layers.rbegin(); layer != network.layers.rend(); ++layer) {
    bytes += kFloat32 * static_cast<double>(layer->parameters);
    share += static_cast<double>(layer->multiplications) / total;
    if (bytes >= limit) send();
  }
  if (bytes > 0) send();
  return arrived - ready;
}

}  // namespace

double ring_seconds(double bytes, int devices, const LinkSpeed& link) {
  return 2 * (devices - 1) * (bytes / devices / (link.gb_per_second * 1e9) + link.latency_us * 1e-6);
}

double scaling_efficiency(const Workload& work, double compute_seconds, int devices, const LinkSpeed& link) {
  if (devices == 1) return 1;
  double waiting = 0;
  for (const NetworkWork* network : {&work.generator, &work.discriminator}) {
    const double share =
        2 * static_cast<double>(network->multiplications()) / static_cast<double>(work.multiplications());
    waiting += exposed_seconds(*network, compute_seconds * share, devices, link);
  }
  return compute_seconds / (compute_seconds + waiting);
}

}  // namespace nowhere
