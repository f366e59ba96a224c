#include "train/log_point.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cmath>
#include <ctime>

namespace nowhere {

bool LogPoint::finite() const {
  for (double value : {d_loss, g_loss, d_x, d_g_z1, d_g_z2})
    if (!std::isfinite(value)) return false;
  return true;
}

std::string Position::last_epoch() const {
  return epochs > 0 ? std::to_string(epochs) : "?";
}

std::string LogPoint::console_line() const {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format(
      "{:%H:%M:%S} [{}/{}][{}/{}] Loss_D: {:.4f} Loss_G: {:.4f} D(x): {:.4f} D(G(z)): {:.4f} / {:.4f}", local,
      epoch, last_epoch(), batch, batches, d_loss, g_loss, d_x, d_g_z1, d_g_z2);
}

boost::json::object LogPoint::to_json() const {
  boost::json::object json{{"images", images},
                           {"epoch", epoch},
                           {"batch", batch},
                           {"batches", batches},
                           {"step", step},
                           {"time", static_cast<double>(std::time(nullptr))},
                           {"G_loss", g_loss},
                           {"D_loss", d_loss},
                           {"D_X", d_x},
                           {"D_G_z1", d_g_z1},
                           {"D_G_z2", d_g_z2},
                           {"G_gradient", g_gradient},
                           {"D_gradient", d_gradient},
                           {"lr", lr},
                           {"diversity", diversity},
                           {"images_per_second", images_per_second},
                           {"seconds", time.to_json()},
                           {"bottleneck", bottleneck},
                           {"replaced", replaced},
                           {"cpu_share", machine.cpu_share},
                           {"machine_cpu_share", machine.machine_cpu_share},
                           {"memory_bytes", machine.memory_bytes},
                           {"peak_memory_bytes", machine.peak_memory_bytes}};
  if (machine.disk_read_bytes_per_second)
    json["disk_read_bytes_per_second"] = *machine.disk_read_bytes_per_second;
  if (machine.disk_busy_share) json["disk_busy_share"] = *machine.disk_busy_share;
  boost::json::array accelerators;
  for (const Accelerator& one : machine.accelerators)
    accelerators.push_back({{"name", one.name},
                            {"use_share", one.use_share},
                            {"memory_bytes", one.memory_bytes},
                            {"memory_total", one.memory_total}});
  if (!accelerators.empty()) json["accelerators"] = std::move(accelerators);
  return json;
}

}  // namespace nowhere
