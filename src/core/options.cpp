#include "core/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"

namespace nowhere {
namespace {

template <class Integer>
Option integer_option(std::string name, Integer& target, int64_t low, int64_t high, std::string help) {
  const bool bounded = high != std::numeric_limits<int64_t>::max() && high != std::numeric_limits<int>::max();
  Option option;
  option.name = std::move(name);
  option.takes = "N";
  option.accepts = bounded ? fmt::format("a whole number from {} to {}", low, high)
                           : fmt::format("a whole number, at least {}", low);
  option.help = std::move(help);
  option.set = [&target, low, high](const std::string& text) {
    const auto value = parse_integer(text);
    if (!value || *value < low || *value > high) return false;
    target = static_cast<Integer>(*value);
    return true;
  };
  option.value = [&target] { return boost::json::value(int64_t{target}); };
  return option;
}

std::string key_of(std::string_view name) {
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

// Whether `key` of a JSON object means the option.
bool has_key(const Option& option, std::string_view key) {
  if (option.value().is_null()) return false;  // a special
  return key_of(option.name) == key ||
         std::any_of(option.aliases.begin(), option.aliases.end(), [&](const auto& alias) {
           return alias.starts_with("--") && key_of(alias.substr(2)) == key;
         });
}

// A value of JSON as it would stand on the command line.
std::string text_of(const boost::json::value& value) {
  if (value.is_double()) return json_text(value);
  if (value.is_string()) return std::string(value.as_string());
  if (!value.is_array()) return boost::json::serialize(value);
  std::vector<std::string> words;
  for (const auto& word : value.as_array()) words.push_back(text_of(word));
  return join(words, ",");
}

}  // namespace

// The help shows a default unless it says nothing: a switch that is off, an empty text, a zero that means
// "none".
void Options::add(Option option) {
  const boost::json::value value = option.value();
  const bool says_nothing =
      option.is_switch() || value.is_null() || value.is_array() || value == 0 || value == 0.0 || value == "";
  if (!says_nothing)
    option.default_text = value.is_string() ? std::string(value.as_string())
                          : value.is_bool() ? (value.as_bool() ? "yes" : "no")
                                            : json_text(value);
  option.detail = detail_;
  options_.push_back(std::move(option));
}

void Options::flag(std::string name, bool& target, std::string help) {
  auto set = [&target](const std::string& text) {
    if (text != "true" && text != "false") return false;
    target = text == "true";
    return true;
  };
  add({std::move(name), "", "true or false", std::move(help), set,
       [&target] { return boost::json::value(target); }});
}

void Options::yes_no(std::string name, bool& target, std::string help) {
  auto set = [&target](const std::string& text) {
    const std::string word = lower(text);
    const bool yes = word == "yes" || word == "true", no = word == "no" || word == "false";
    if (yes || no) target = yes;
    return yes || no;
  };
  add({std::move(name), "yes|no", "yes or no", std::move(help), set,
       [&target] { return boost::json::value(target); }});
}

void Options::special(std::string name, std::string takes, int rank, std::string help,
                      std::function<bool(const std::string&)> set) {
  Option option{std::move(name), std::move(takes), "a text that is not empty", std::move(help),
                std::move(set)};
  option.value = [] { return boost::json::value(nullptr); };
  option.rank = rank;
  add(std::move(option));
}

void Options::integer(std::string name, int& target, int low, int high, std::string help) {
  add(integer_option(std::move(name), target, low, high, std::move(help)));
}

void Options::integer(std::string name, int64_t& target, int64_t low, int64_t high, std::string help) {
  add(integer_option(std::move(name), target, low, high, std::move(help)));
}

void Options::seed(std::string name, uint64_t& target, std::string help) {
  auto set = [&target](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target);
    return error == std::errc() && end == text.data() + text.size();
  };
  add({std::move(name), "S", "a whole number from 0 to 2^64 - 1", std::move(help), set,
       [&target] { return boost::json::value(target); }});
}

void Options::number(std::string name, double& target, double low, double high, std::string help) {
  auto set = [&target, low, high](const std::string& text) {
    const auto value = parse_number(text);
    if (!value || *value < low || *value > high) return false;
    target = *value;
    return true;
  };
  add({std::move(name), "X", fmt::format("a number from {} to {}", low, high), std::move(help), set,
       [&target] { return boost::json::value(target); }});
}

void Options::text(std::string name, std::string& target, std::string takes, std::string help) {
  auto set = [&target](const std::string& text) { return target = text, !text.empty(); };
  add({std::move(name), std::move(takes), "a text that is not empty", std::move(help), set,
       [&target] { return boost::json::string(target); }});
}

void Options::words(std::string name, std::vector<std::string>& target, std::string takes, std::string help) {
  auto set = [&target](const std::string& text) { return target = split_list(text), !target.empty(); };
  auto value = [&target]() -> boost::json::value {
    boost::json::array words;
    for (const std::string& word : target) words.emplace_back(word);
    return words;
  };
  add({std::move(name), std::move(takes), "one or more words with commas between", std::move(help), set,
       value});
}

void Options::add_choice(std::string name, const std::vector<std::string>& words, std::string help,
                         std::function<bool(const std::string&)> set,
                         std::function<boost::json::value()> value) {
  add({std::move(name), join(words, "|"), "one of " + join(words, ", "), std::move(help), std::move(set),
       std::move(value)});
}

void Options::assign(std::vector<std::pair<std::string, std::string>> given) const {
  const auto find = [&](const std::string& name) -> const Option& {
    return *std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.name == name; });
  };
  std::stable_sort(given.begin(), given.end(),
                   [&](const auto& a, const auto& b) { return find(a.first).rank < find(b.first).rank; });
  for (const auto& [name, text] : given)
    if (const Option& option = find(name); !option.set(text))
      throw usage_error(fmt::format("--{} {}: not accepted; give {}", name, text, option.accepts));
}

boost::json::object Options::to_json() const {
  boost::json::object object;
  for (const Option& option : options_)
    if (!option.value().is_null()) object[key_of(option.name)] = option.value();
  return object;
}

void Options::from_json(const boost::json::object& object, const std::string& where) const {
  for (const auto& [key, value] : object) {
    const auto option = std::find_if(options_.begin(), options_.end(), [&](const Option& candidate) {
      return has_key(candidate, key_of(key));
    });
    if (option == options_.end()) {
      std::vector<std::string> known;
      for (const Option& candidate : options_) known.push_back(key_of(candidate.name));
      const auto meant = nearest(key_of(key), known);
      throw usage_error(fmt::format("{}: unknown key '{}'{}", where, printable_text(std::string_view(key)),
                                    meant ? fmt::format("; did you mean {}?", *meant) : ""));
    }
    // What is already so need not be within the range of what may be asked for: 0 often means "not asked
    // for".
    if (value == option->value() || value.is_null()) continue;
    if (const std::string text = text_of(value); !option->set(text))
      throw usage_error(fmt::format("{}: {} {} is not accepted; give {}", where, std::string_view(key), text,
                                    option->accepts));
  }
}

}  // namespace nowhere
