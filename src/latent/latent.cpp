#include "latent/latent.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace nowhere {
namespace {

double dot(const Latent& a, const Latent& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

Latent mixed(const Latent& a, double of_a, const Latent& b, double of_b) {
  Latent result(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = static_cast<float>(of_a * static_cast<double>(a[i]) + of_b * static_cast<double>(b[i]));
  return result;
}

}  // namespace

Latent seed_latent(uint64_t seed, int size) {
  Random random(seed, Purpose::kSeed);
  Latent latent(static_cast<size_t>(size));
  for (float& value : latent) value = static_cast<float>(random.normal());
  return latent;
}

Latent truncated(Latent latent, double truncation) {
  for (float& value : latent) value = static_cast<float>(static_cast<double>(value) * truncation);
  return latent;
}

Latent slerp(const Latent& from, const Latent& to, double t) {
  constexpr double kMinSine = 1e-6;  // below it, the division would magnify rounding errors
  if (t <= 0) return from;
  if (t >= 1) return to;
  const double lengths = std::sqrt(dot(from, from) * dot(to, to));
  if (lengths == 0) return mixed(from, 1 - t, to, t);
  const double angle = std::acos(std::clamp(dot(from, to) / lengths, -1.0, 1.0));
  const double sine = std::sin(angle);
  if (sine < kMinSine) return mixed(from, 1 - t, to, t);
  return mixed(from, std::sin((1 - t) * angle) / sine, to, std::sin(t * angle) / sine);
}

Latent neighbour(const Latent& latent, uint64_t number, double angle) {
  const double length = dot(latent, latent);
  Latent direction(latent.size());
  Random random(number, Purpose::kNeighbour);
  for (float& value : direction) value = static_cast<float>(random.normal());
  if (length == 0) return direction;
  direction = mixed(direction, 1, latent, -dot(direction, latent) / length);  // orthogonal to `latent`
  const double across = dot(direction, direction);
  if (across == 0) return latent;
  return mixed(latent, std::cos(angle), direction, std::sin(angle) * std::sqrt(length / across));
}

std::vector<Latent> closed_walk(const std::vector<Latent>& stops, int frames) {
  if (stops.size() == 1) return stops;
  std::vector<Latent> walk;
  for (size_t stop = 0; stop < stops.size(); ++stop)
    for (int frame = 0; frame < frames; ++frame)
      walk.push_back(slerp(stops[stop], stops[(stop + 1) % stops.size()],
                           static_cast<double>(frame) / static_cast<double>(frames)));
  return walk;
}

}  // namespace nowhere
