// What a subcommand is. One file for each; `commands.h` lists them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/options.h"

namespace nowhere {

struct Positional {
  std::string name;  // "DATA"
  std::string help;
  std::string* target = nullptr;
  bool required = true;
};

class Command {
 public:
  virtual ~Command() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::string> aliases() const { return {}; }
  virtual std::string summary() const = 0;          // one line
  virtual std::string example() const = 0;          // one line that works
  virtual std::string notes() const { return ""; }  // lines below the flags

  // The work, after the command line was read into the targets. Returns the process's exit code.
  virtual int run() = 0;

  // What the command line gives, by the options' names.
  void assign(std::vector<std::pair<std::string, std::string>> given) {
    given_ = std::move(given);
    options_.assign(given_);
  }

  const std::vector<Positional>& positionals() const { return positionals_; }
  const Options& options() const { return options_; }

 protected:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Called in the constructor of each command; targets are its members.
  std::vector<Positional> positionals_;
  Options options_;
  std::vector<std::pair<std::string, std::string>> given_;
};

}  // namespace nowhere
