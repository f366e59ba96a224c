#include "s3/profiles.h"

#include <filesystem>
#include <vector>

#include "core/file.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t\r";

bool is_blank(char letter) {
  return kBlanks.find(letter) != std::string_view::npos;
}

std::string_view stripped(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// " # comment" behind a value; a # within a word is part of it.
std::string_view without_comment(std::string_view value) {
  for (size_t i = 1; i < value.size(); ++i)
    if ((value[i] == '#' || value[i] == ';') && is_blank(value[i - 1])) return stripped(value.substr(0, i));
  return value;
}

fs::path file_of(const Environment& environment, const char* variable, const char* name) {
  if (const auto named = environment(variable)) return *named;
  const auto home = environment("HOME");
  return home ? fs::path(*home) / ".aws" / name : fs::path();
}

std::map<std::string, ProfileSettings> read_profiles(const fs::path& file) {
  std::vector<uint8_t> bytes;
  if (file.empty() || !read_file(file, bytes)) return {};
  return parse_profiles({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::map<std::string, ProfileSettings> parse_profiles(std::string_view text) {
  std::map<std::string, ProfileSettings> profiles;
  ProfileSettings* current = nullptr;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end), line = stripped(whole);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';' || is_blank(whole.front())) continue;
    if (line.front() == '[') {
      const size_t close = line.find(']');
      current = close == std::string_view::npos ? nullptr
                                                : &profiles[std::string(stripped(line.substr(1, close - 1)))];
    } else if (const size_t equals = line.find('='); equals != std::string_view::npos && current != nullptr) {
      (*current)[std::string(stripped(line.substr(0, equals)))] =
          without_comment(stripped(line.substr(equals + 1)));
    }
  }
  return profiles;
}

std::string Profile::get(const std::string& key) const {
  const auto found_key = settings.find(key);
  return found_key != settings.end() ? found_key->second : "";
}

Profile read_profile(const Environment& environment) {
  Profile profile{.name = "default"};
  if (const auto named = environment("AWS_PROFILE")) {
    profile.name = *named;
    profile.named = true;
  }
  auto credentials = read_profiles(file_of(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials"));
  auto config = read_profiles(file_of(environment, "AWS_CONFIG_FILE", "config"));
  // In the config file a section is called "profile NAME", and the default one either way.
  for (const auto& [file, section] : {std::pair{&credentials, profile.name},
                                      {&config, "profile " + profile.name},
                                      {&config, profile.name == "default" ? profile.name : ""}})
    if (const auto found = file->find(section); found != file->end()) {
      profile.found = true;
      profile.settings.insert(found->second.begin(), found->second.end());  // what is there already stays
    }
  return profile;
}

}  // namespace nowhere
