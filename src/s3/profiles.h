// The shared files of AWS's tools: ~/.aws/credentials and ~/.aws/config.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/environment.h"

namespace nowhere {

using ProfileSettings = std::map<std::string, std::string>;  // "region" -> "eu-north-1"

// [section] and key = value. Comments, indented lines (settings of a service) and lines that make no sense
// are skipped, as AWS's tools do.
std::map<std::string, ProfileSettings> parse_profiles(std::string_view text);

struct Profile {
  std::string name;
  bool named = false;  // by AWS_PROFILE
  bool found = false;
  ProfileSettings settings;  // of both files; the credentials file wins

  std::string get(const std::string& key) const;  // empty when it is not there
};

// The profile of AWS_PROFILE, or "default".
Profile read_profile(const Environment& environment);

}  // namespace nowhere
