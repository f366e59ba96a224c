#include "cli/program.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <new>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/help.h"
#include "core/console.h"
#include "core/error.h"
#include "core/signals.h"
#include "core/text.h"
#include "device/report.h"

namespace nowhere {
namespace {

using Commands = std::vector<std::unique_ptr<Command>>;

using Given = std::vector<std::pair<std::string, std::string>>;

// What the command line gives is gathered, to be assigned in the order of the options' ranks.
void declare(CLI::App& app, const Command& command, Given& given) {
  for (const Positional& positional : command.positionals())
    app.add_option(positional.name, *positional.target)->required(positional.required);
  for (const Option& option : command.options().all()) {
    const std::string names =
        (option.letter != 0 ? fmt::format("-{},", option.letter) : "") + "--" + option.name;
    const auto set = [&option, &given](const std::string& text) { given.emplace_back(option.name, text); };
    if (option.is_switch())
      app.add_flag_callback(names, [set] { set("true"); });
    else
      app.add_option_function<std::string>(names, set)->take_last();
  }
}

// " (did you mean scan?)", or nothing where nothing is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const auto meant = nearest(word, known);
  return meant ? fmt::format(" (did you mean {}?)", *meant) : "";
}

[[noreturn]] void refuse(const CLI::ParseError& error, const CLI::App& app, const Command& command) {
  const std::string more = fmt::format("; see nowhere help {}", command.name());
  if (const auto* missing = dynamic_cast<const CLI::ArgumentMismatch*>(&error); missing != nullptr) {
    for (const Option& option : command.options().all())
      if (std::string_view(missing->what()).starts_with("--" + option.name + ":"))
        throw usage_error(fmt::format("--{} needs a value: {}{}", option.name, option.accepts, more));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) throw usage_error(error.what() + more);
  std::vector<std::string> known;
  for (const Option& option : command.options().all()) known.push_back("--" + option.name);
  const std::string extra = app.remaining().empty() ? "?" : app.remaining().front();
  if (!extra.starts_with("-")) throw usage_error(fmt::format("unexpected argument '{}'{}", extra, more));
  throw usage_error(
      fmt::format("unknown flag {}{}{}", extra, suggestion(extra.substr(0, extra.find('=')), known), more));
}

// Flags in their one spelling: "--batch_size=4" is "--batch-size=4", aliases are the names they stand for
// (CLI11 knows no "-se").
void spell_out(std::vector<std::string>& words, const Command& command) {
  for (std::string& word : words) {
    if (!word.starts_with("-")) continue;
    const size_t end = std::min(word.find('='), word.size());
    std::string flag = word.substr(0, end);
    if (flag.starts_with("--")) std::replace(flag.begin(), flag.end(), '_', '-');
    for (const Option& option : command.options().all())
      if (std::find(option.aliases.begin(), option.aliases.end(), flag) != option.aliases.end())
        flag = "--" + option.name;
    word = flag + word.substr(end);
  }
}

int run_command(Command& command, std::vector<std::string> words) {
  spell_out(words, command);
  Given given;
  CLI::App app;
  app.set_help_flag();  // ours is shorter
  bool help = false;
  app.add_flag("-h,--help", help);
  declare(app, command, given);
  if (std::find(words.begin(), words.end(), "--help") != words.end() ||
      std::find(words.begin(), words.end(), "-h") != words.end()) {
    fmt::print("{}", command_help(command));
    return 0;
  }
  app.allow_extras();  // gathered, so that we can say which flag was meant
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
    if (!app.remaining().empty()) throw CLI::ExtrasError(app.remaining());
  } catch (const CLI::ParseError& error) {
    refuse(error, app, command);
  }
  command.assign(std::move(given));
  catch_stop_signals();
  return command.run();
}

Command& find_command(const Commands& commands, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& command : commands) {
    const auto aliases = command->aliases();
    if (command->name() == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end())
      return *command;
    names.push_back(command->name());
  }
  throw usage_error(
      fmt::format("there is no command '{}'{}; see nowhere help", name, suggestion(name, names)));
}

int dispatch(std::vector<std::string> words) {
  const Commands commands = all_commands();
  if (words.empty()) {
    print_message(program_help(commands));
    return static_cast<int>(Exit::kUsage);
  }
  const std::string first = words.front();
  words.erase(words.begin());
  if (first == "--version" || first == "version") {
    fmt::print("nowhere {} (LibTorch {})\n", NOWHERE_VERSION, libtorch_version());
    return 0;
  }
  if (first == "help" || first == "--help" || first == "-h") {
    fmt::print("{}", words.empty()
                         ? program_help(commands)
                         : command_help(find_command(commands, words.front()),
                                        std::find(words.begin(), words.end(), "--all") != words.end()));
    return 0;
  }
  return run_command(find_command(commands, first), std::move(words));
}

int fail(const std::string& message, Exit exit) {
  print_message(fmt::format("nowhere: {}\n", printable_text(message)));
  return static_cast<int>(exit);
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  occupy_standard_descriptors();
  try {
    const int code = dispatch({argv + 1, argv + argc});
    flush_output();
    return code;
  } catch (const Error& error) {
    return fail(error.what(), error.exit());
  } catch (const Stopped&) {
    return stopped_exit_code();
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use smaller batches or fewer threads", Exit::kFailed);
  } catch (const std::exception& error) {
    // LibTorch appends where in its own code it noticed; the first line says what.
    const std::string what = error.what();
    return fail(what.substr(0, what.find('\n')), Exit::kFailed);
  }
}

}  // namespace nowhere
