#include "core/options.h"

#include <fmt/core.h>

#include <charconv>
#include <limits>

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

}  // namespace

// The default as the help shows it: switches that are off, empty texts and zeros that mean "none" say nothing.
void Options::add(Option option) {
  const boost::json::value value = option.value();
  const bool says_nothing =
      option.is_switch() || value.is_null() || value.is_array() || value == 0 || value == 0.0 || value == "";
  if (!says_nothing)
    option.standard = value.is_string() ? std::string(value.as_string()) : boost::json::serialize(value);
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

boost::json::object Options::to_json() const {
  boost::json::object object;
  for (const Option& option : options_) object[option.name] = option.value();
  return object;
}

}  // namespace nowhere
