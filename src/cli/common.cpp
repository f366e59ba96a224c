#include "cli/common.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/cpu.h"
#include "core/error.h"
#include "core/signals.h"
#include "core/text.h"

namespace nowhere {

void declare_threads(Options& options, int& threads) {
  threads = available_cores();
  options.integer("threads", threads, 1, 1024, "how many threads to use");
}

Selection select_with_progress(const Source& source, const FilterConfig& filters, int threads) {
  std::optional<Progress> line;
  Selection selection = select_photos(
      source, filters, threads,
      [&](int64_t done, int64_t total) {
        if (!line) line.emplace("hashing", "images", total);
        line->update(done);
      },
      stop_requested);
  return selection;
}

int stopped_exit_code() {
  return 128 + stop_signal();
}

std::string filter_lines(const Selection& selection) {
  Table table({"filter", "removed"});
  for (const FilterStep& step : selection.steps)
    table.add({step.flag, with_commas(static_cast<int64_t>(step.removed))});
  return table.rows() == 0 ? "" : table.text();
}

std::string shipped_model() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("NOWHERE_MODEL"); named != nullptr && *named != 0) return named;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  // build/nowhere in a checkout, bin/nowhere where it was installed
  for (const fs::path& folder : {program / "../models", program / "../share/nowhere/models"}) {
    const fs::path file = (folder / "streets-64.pt").lexically_normal();
    if (fs::exists(file, error)) return file.string();
  }
  throw usage_error(
      "give RUN, a run directory or a checkpoint: the model that comes with the program is missing, "
      "and NOWHERE_MODEL names no other");
}

}  // namespace nowhere
