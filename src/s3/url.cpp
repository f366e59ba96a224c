#include "s3/url.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "core/text.h"

namespace nowhere {
namespace {

constexpr std::string_view kScheme = "s3://";
constexpr size_t kLongestKey = 1024;  // bytes

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '.' || letter == '_' || letter == '~';
}

std::string escaped(std::string_view text, bool slashes_stay) {
  std::string result;
  for (const char letter : text)
    if (is_plain(letter) || (slashes_stay && letter == '/'))
      result += letter;
    else
      result += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return result;
}

// Old buckets may have upper case and underscores; what a host name or a path cannot hold is refused.
bool is_bucket_name(std::string_view name) {
  constexpr size_t kShortest = 3, kLongest = 255;
  return name.size() >= kShortest && name.size() <= kLongest && name.front() != '.' && name.front() != '-' &&
         name.find("..") == std::string_view::npos &&
         std::ranges::all_of(name, [](char letter) { return is_plain(letter) && letter != '~'; });
}

}  // namespace

std::string S3Url::text() const {
  return fmt::format("{}{}{}{}", kScheme, bucket, path.empty() ? "" : "/", printable_text(path));
}

S3Url S3Url::below(std::string_view name) const {
  return {bucket, path.empty() ? std::string(name) : fmt::format("{}/{}", path, name)};
}

std::pair<S3Url, std::string> S3Url::folder_and_file() const {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {{bucket, ""}, path};
  return {{bucket, path.substr(0, slash)}, path.substr(slash + 1)};
}

bool is_s3_url(std::string_view text) {
  return lower(text.substr(0, kScheme.size())) == kScheme;
}

Result<S3Url> parse_s3_url(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return Failure{fmt::format("{}: {}; give s3://BUCKET/RUN, or s3://BUCKET/RUN/slim_checkpoint_16.pt",
                               printable_text(text), why)};
  };
  if (!is_s3_url(text)) return refused("that does not begin with s3://");
  std::string_view rest = text.substr(kScheme.size());
  const size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view bucket = rest.substr(0, slash);
  rest.remove_prefix(slash);
  while (rest.starts_with('/')) rest.remove_prefix(1);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (!is_bucket_name(bucket)) return refused("that is no name of a bucket");
  if (rest.size() > kLongestKey) return refused("a key has at most 1,024 bytes");
  return S3Url{std::string(bucket), std::string(rest)};
}

std::string escape_url(std::string_view text) {
  return escaped(text, /*slashes_stay=*/false);
}

std::string escape_key(std::string_view key) {
  return escaped(key, /*slashes_stay=*/true);
}

std::string unescape_url(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      result += static_cast<char>(value);
      i += 2;
    } else {
      result += text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

std::string query_text(std::vector<std::pair<std::string, std::string>> query) {
  std::ranges::sort(query);
  std::vector<std::string> items;
  for (const auto& [name, value] : query)
    items.push_back(fmt::format("{}={}", escape_url(name), escape_url(value)));
  return join(items, "&");
}

}  // namespace nowhere
