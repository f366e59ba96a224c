// All subcommands, in the order of the help.
#pragma once

#include <memory>
#include <vector>

#include "cli/command.h"

namespace nowhere {

std::unique_ptr<Command> synth_command();
std::unique_ptr<Command> scan_command();
std::unique_ptr<Command> pack_command();
std::unique_ptr<Command> preview_command();
std::unique_ptr<Command> train_command();
std::unique_ptr<Command> sample_command();
std::unique_ptr<Command> morph_command();
std::unique_ptr<Command> figures_command();
std::unique_ptr<Command> evaluate_command();
std::unique_ptr<Command> export_command();
std::unique_ptr<Command> import_command();
std::unique_ptr<Command> serve_command();
std::unique_ptr<Command> bench_command();
std::unique_ptr<Command> plan_command();
std::unique_ptr<Command> doctor_command();

inline std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(synth_command());
  commands.push_back(scan_command());
  commands.push_back(pack_command());
  commands.push_back(preview_command());
  commands.push_back(train_command());
  commands.push_back(sample_command());
  commands.push_back(morph_command());
  commands.push_back(figures_command());
  commands.push_back(evaluate_command());
  commands.push_back(export_command());
  commands.push_back(import_command());
  commands.push_back(serve_command());
  commands.push_back(bench_command());
  commands.push_back(plan_command());
  commands.push_back(doctor_command());
  return commands;
}

}  // namespace nowhere
