// Habana's accelerators, through the driver's tool hl-smi.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "observe/accelerator.h"

namespace nowhere {

// Lines of "name, use in percent, memory used in MiB, memory in MiB". Other lines are skipped.
std::vector<Accelerator> parse_hl_smi(std::string_view text);

// Polls the tool on a thread of its own, because one answer takes about a second. Without the tool on the
// PATH there is no thread.
class HabanaMonitor {
 public:
  explicit HabanaMonitor(const std::string& tool = "hl-smi",
                         std::chrono::milliseconds every = std::chrono::seconds(10));

  // The latest answer; none before the first.
  std::vector<Accelerator> sample() const;

 private:
  void watch(const std::stop_token& stop, const std::filesystem::path& tool, std::chrono::milliseconds every);

  mutable std::mutex mutex_;
  std::condition_variable_any asked_to_stop_;
  std::vector<Accelerator> latest_;
  std::jthread thread_;  // last: it uses the others, and is stopped and joined before they are destroyed
};

}  // namespace nowhere
