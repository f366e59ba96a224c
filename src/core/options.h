// Options, declared once: name, range, default, help. The command line, the saved configuration and the help
// text are all made from the declaration.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace nowhere {

struct Option {
  std::string name = {};     // "max-per-sequence", without dashes
  std::string takes = {};    // what stands after it in the help, "N"; empty for a switch
  std::string accepts = {};  // the accepted range, in words
  std::string help = {};     // one line
  // Reads the text into the target; false when it is not within the range.
  std::function<bool(const std::string& text)> set = {};
  std::function<boost::json::value()> value = {};
  char letter = 0;                // "-o" for short; 0 for none
  std::string default_text = {};  // the default as the help shows it; empty where that says nothing
  bool detail = false;            // not in the short help
  int rank = 0;  // lower ones are assigned first: what sets many values goes before what sets one
  // Other spellings, with their dashes: "-se", "--old-name". Long ones also count as keys of JSON.
  std::vector<std::string> aliases = {};

  bool is_switch() const { return takes.empty(); }
};

// Targets are variables of the caller that outlive the options; their values when declared are the defaults.
class Options {
 public:
  void flag(std::string name, bool& target, std::string help);
  // Takes yes or no (true or false, in any case) after it.
  void yes_no(std::string name, bool& target, std::string help);
  void integer(std::string name, int& target, int low, int high, std::string help);
  void integer(std::string name, int64_t& target, int64_t low, int64_t high, std::string help);
  void seed(std::string name, uint64_t& target, std::string help);
  void number(std::string name, double& target, double low, double high, std::string help);
  void text(std::string name, std::string& target, std::string takes, std::string help);
  void words(std::string name, std::vector<std::string>& target, std::string takes, std::string help);

  template <class Enum>
  void choice(std::string name, Enum& target, std::vector<std::pair<std::string, Enum>> names,
              std::string help) {
    std::vector<std::string> spelled;
    for (const auto& [word, meaning] : names) spelled.push_back(word);
    auto set = [&target, names](const std::string& text) {
      for (const auto& [word, meaning] : names)
        if (word == text) return target = meaning, true;
      return false;
    };
    auto value = [&target, names]() -> boost::json::value {
      for (const auto& [word, meaning] : names)
        if (meaning == target) return boost::json::string(word);
      return nullptr;
    };
    add_choice(std::move(name), spelled, std::move(help), set, value);
  }

  // Gives the option declared last a letter.
  void letter(char letter) { options_.back().letter = letter; }

  // What is declared from here on is left out of the short help.
  void detail() { detail_ = true; }
  // An option that sets many values: `set` is called with its text before the options of a higher rank are
  // assigned.
  void special(std::string name, std::string takes, int rank, std::string help,
               std::function<bool(const std::string&)> set);
  // Gives the option declared last another spelling.
  void alias(std::string spelling) { options_.back().aliases.push_back(std::move(spelling)); }

  // An option of a kind that the functions above do not know.
  void add(Option option);

  const std::vector<Option>& all() const { return options_; }

  // Sets options by name in the order of their ranks. Throws a usage error that says what is accepted.
  void assign(std::vector<std::pair<std::string, std::string>> given) const;

  // Keys are the names with _ for -. Specials are left out.
  boost::json::object to_json() const;
  // Sets what the object names, by name or by long alias. Throws a usage error for unknown keys (with the
  // nearest known one) and for values that are out of range; `where` says whose keys they are.
  void from_json(const boost::json::object& object, const std::string& where) const;

 private:
  void add_choice(std::string name, const std::vector<std::string>& words, std::string help,
                  std::function<bool(const std::string&)> set, std::function<boost::json::value()> value);

  std::vector<Option> options_;
  bool detail_ = false;
};

}  // namespace nowhere
