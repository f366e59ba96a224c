#include "observe/habana.h"

#include <optional>

#include "core/process.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr std::chrono::seconds kTimeLimit{20};
constexpr size_t kMaxOutput = 64 * 1024;
constexpr double kMebibyte = 1024 * 1024;

// "768" or "768 MiB": not every version of the tool respects "nounits".
std::optional<double> leading_number(const std::string& cell) {
  const auto number = parse_number(cell.substr(0, cell.find(' ')));
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

std::vector<Accelerator> parse_hl_smi(std::string_view text) {
  std::vector<Accelerator> accelerators;
  for (const std::string& line : split_list(text, '\n')) {
    const std::vector<std::string> cells = split_list(line);
    if (cells.size() != 4) continue;
    const auto percent = leading_number(cells[1]);
    const auto used = leading_number(cells[2]);
    const auto total = leading_number(cells[3]);
    if (!percent || !used || !total) continue;
    accelerators.push_back({cells[0], *percent / 100, static_cast<uint64_t>(*used * kMebibyte),
                            static_cast<uint64_t>(*total * kMebibyte)});
  }
  return accelerators;
}

HabanaMonitor::HabanaMonitor(const std::string& tool, std::chrono::milliseconds every) {
  const auto program = find_program(tool);
  if (!program) return;
  thread_ = std::jthread(
      [this, program = *program, every](const std::stop_token& stop) { watch(stop, program, every); });
}

std::vector<Accelerator> HabanaMonitor::sample() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void HabanaMonitor::watch(const std::stop_token& stop, const std::filesystem::path& tool,
                          std::chrono::milliseconds every) {
  const std::vector<std::string> arguments = {"-Q", "name,utilization.aip,memory.used,memory.total", "-f",
                                              "csv,noheader,nounits"};
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    lock.unlock();
    const auto answer =
        run_process(tool, arguments, {.time_limit = kTimeLimit, .max_output = kMaxOutput, .stop = stop});
    lock.lock();
    // A tool that fails once may answer the next time; until then there are no figures.
    latest_ = answer && answer->succeeded() ? parse_hl_smi(answer->output) : std::vector<Accelerator>();
    asked_to_stop_.wait_for(lock, stop, every, [] { return false; });
  }
}

}  // namespace nowhere
