#include "plot/gnuplot.h"

#include <fmt/core.h>

#include <sstream>
#include <string>

#include "core/error.h"
#include "core/process.h"
#include "core/text.h"

namespace nowhere {

namespace {

// gnuplot repeats the faulty command, puts a caret below it, then "line N: the reason"; other messages end
// with theirs.
std::string reason_in(const std::string& errors) {
  std::istringstream lines(errors);
  std::string line, last = "no reason given";
  while (std::getline(lines, line)) {
    const size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos) continue;
    last = printable_text(line.substr(start));
    const size_t colon = last.find(": ");
    if (last.starts_with("line ") && colon != std::string::npos) return last.substr(colon + 2);
  }
  return last;
}

}  // namespace

std::vector<uint8_t> run_gnuplot(std::string_view script) {
  const auto program = find_program("gnuplot");
  if (!program) throw Error("gnuplot is not installed; apt install gnuplot-nox");
  // -d: no settings of the user's; -: commands from the standard input.
  const ProcessResult result = run_process(*program, {"-d", "-"}, {.input = script}).value();
  if (result.signal != 0)
    throw Error(fmt::format("gnuplot was ended by signal {}: {}", result.signal, reason_in(result.errors)));
  if (result.exit_code != 0) throw Error(fmt::format("gnuplot failed: {}", reason_in(result.errors)));
  return {result.output.begin(), result.output.end()};
}

}  // namespace nowhere
