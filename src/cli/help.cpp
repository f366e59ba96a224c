#include "cli/help.h"

#include <fmt/core.h>

#include <algorithm>

namespace nowhere {
namespace {

using Row = std::pair<std::string, std::string>;

std::string two_columns(const std::vector<Row>& rows) {
  constexpr size_t kMaxLeft = 34;
  size_t width = 0;
  for (const auto& [left, right] : rows) width = std::max(width, std::min(left.size(), kMaxLeft));
  std::string text;
  for (const auto& [left, right] : rows) text += fmt::format("  {:<{}}  {}\n", left, width, right);
  return text;
}

std::string spelled(const Option& option) {
  std::string text =
      option.letter != 0 ? fmt::format("-{}, --{}", option.letter, option.name) : "--" + option.name;
  return option.is_switch() ? text : text + " " + option.takes;
}

}  // namespace

std::string program_help(const std::vector<std::unique_ptr<Command>>& commands) {
  std::vector<Row> rows;
  for (const auto& command : commands) rows.emplace_back(command->name(), command->summary());
  rows.emplace_back("help [COMMAND]", "this text, or the flags of a command");
  return "nowhere: from a folder of street photographs to streets that do not exist\n\n"
         "usage: nowhere COMMAND [arguments]\n\n" +
         two_columns(rows) +
         "\nDATA is a folder of photographs, a packed file, or several ('packs/*.nwp').\n"
         "A sequence is the frames of one drive, as MSLS calls it.\n"
         "Exit codes: 0 done, 1 the work failed, 2 the command line is wrong, "
         "3 the data are unusable,\n130 or 143 stopped by a signal after saving. "
         "`nowhere --version` prints the version.\n";
}

std::string command_help(const Command& command, bool everything) {
  std::string usage = "usage: nowhere " + command.name();
  std::vector<Row> rows;
  for (const Positional& positional : command.positionals()) {
    usage += positional.required ? " " + positional.name : " [" + positional.name + "]";
    rows.emplace_back(positional.name, positional.help);
  }
  bool details = false;
  for (const Option& option : command.options().all()) {
    details = details || option.detail;
    if (option.detail && !everything) continue;
    rows.emplace_back(spelled(option), option.default_text.empty()
                                           ? option.help
                                           : fmt::format("{} [{}]", option.help, option.default_text));
  }
  const std::string more =
      details && !everything ? fmt::format("\nall flags: nowhere help {} --all\n", command.name()) : "";
  const std::string notes = command.notes().empty() ? "" : "\n" + command.notes();
  return fmt::format("{}\n\n{} [flags]\nexample: {}\n\n{}{}{}", command.summary(), usage, command.example(),
                     two_columns(rows), notes, more);
}

}  // namespace nowhere
