#include "s3/xml.h"

#include <fmt/core.h>
#include <time.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <functional>
#include <sstream>

#include "core/text.h"
#include "s3/url.h"

namespace nowhere {
namespace {

using Tree = boost::property_tree::ptree;

// The parser calls itself for every level, and S3 needs few.
bool is_deep(std::string_view text) {
  constexpr int kDeepest = 32;
  int depth = 0;
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : '/';
    if (next == '?' || next == '!') continue;
    depth += next == '/' ? -1 : 1;
    const size_t end = next == '/' ? std::string_view::npos : text.find('>', at);
    if (end != std::string_view::npos && text[end - 1] == '/') --depth;
    if (depth > kDeepest) return true;
  }
  return false;
}

// The root element, when it is called `name`.
std::optional<Tree> read_root(std::string_view text, const char* name) {
  if (is_deep(text)) return std::nullopt;
  std::istringstream stream{std::string(text)};
  Tree tree;
  try {
    boost::property_tree::read_xml(stream, tree);
  } catch (const boost::property_tree::xml_parser_error&) {
    return std::nullopt;
  }
  const auto root = tree.get_child_optional(name);
  return root ? std::optional<Tree>(*root) : std::nullopt;
}

std::string text_at(const Tree& tree, const char* path) {
  return tree.get<std::string>(path, "");
}

uint64_t number_at(const Tree& tree, const char* path) {
  return static_cast<uint64_t>(std::max<int64_t>(0, parse_integer(text_at(tree, path)).value_or(0)));
}

bool is_true(const Tree& tree, const char* path) {
  return text_at(tree, path) == "true";
}

std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

Failure not_what_was_asked(const char* name) {
  return {fmt::format("the answer is no {}", name)};
}

// A text by itself could be a value or a reason.
Result<std::string> text_result(std::string text) {
  return {boost::system::in_place_value, std::move(text)};
}

// Keys come escaped where they were asked for so: XML cannot hold every character of one.
std::string key_at(const Tree& item, bool escaped) {
  const std::string key = text_at(item, "Key");
  return escaped ? unescape_url(key) : key;
}

void for_each(const Tree& tree, const char* name, const std::function<void(const Tree&)>& act) {
  for (const auto& [child, content] : tree)
    if (child == name) act(content);
}

}  // namespace

std::optional<XmlError> read_error(std::string_view text) {
  auto root = read_root(text, "Error");
  if (!root)  // STS puts it into a frame
    if (const auto frame = read_root(text, "ErrorResponse"))
      if (const auto inner = frame->get_child_optional("Error")) root = *inner;
  if (!root || text_at(*root, "Code").empty()) return std::nullopt;
  return XmlError{text_at(*root, "Code"), text_at(*root, "Message"), text_at(*root, "Region")};
}

Result<ListedPage> read_object_page(std::string_view text) {
  const auto root = read_root(text, "ListBucketResult");
  if (!root) return not_what_was_asked("list of a bucket");
  const bool escaped = text_at(*root, "EncodingType") == "url";
  ListedPage page;
  for_each(*root, "Contents", [&](const Tree& item) {
    page.objects.push_back({key_at(item, escaped), unquoted(text_at(item, "ETag")),
                            text_at(item, "LastModified"), number_at(item, "Size")});
  });
  if (is_true(*root, "IsTruncated")) page.next = text_at(*root, "NextContinuationToken");
  return page;
}

Result<std::string> read_upload_id(std::string_view text) {
  const auto root = read_root(text, "InitiateMultipartUploadResult");
  std::string id = root ? text_at(*root, "UploadId") : "";
  if (id.empty()) return not_what_was_asked("begin of an upload");
  return text_result(std::move(id));
}

Result<ListedParts> read_parts(std::string_view text) {
  auto root = read_root(text, "ListPartsResult");
  if (!root) root = read_root(text, "ListPartsResponse");  // so moto calls it
  if (!root) return not_what_was_asked("list of parts");
  constexpr uint64_t kMostParts = 10'000;  // of an upload, by S3's rules
  ListedParts listed;
  bool numbered = true;
  for_each(*root, "Part", [&](const Tree& item) {
    const uint64_t number = number_at(item, "PartNumber");
    numbered = numbered && number >= 1 && number <= kMostParts;
    listed.parts.push_back(
        {static_cast<int>(number), number_at(item, "Size"), unquoted(text_at(item, "ETag"))});
  });
  if (!numbered) return not_what_was_asked("list of parts");
  if (is_true(*root, "IsTruncated")) listed.next = text_at(*root, "NextPartNumberMarker");
  return listed;
}

Result<std::vector<ListedUpload>> read_uploads(std::string_view text) {
  const auto root = read_root(text, "ListMultipartUploadsResult");
  if (!root) return not_what_was_asked("list of uploads");
  const bool escaped = text_at(*root, "EncodingType") == "url";
  std::vector<ListedUpload> uploads;
  for_each(*root, "Upload", [&](const Tree& item) {
    uploads.push_back({key_at(item, escaped), text_at(item, "UploadId")});
  });
  return uploads;
}

Result<std::string> read_completed_etag(std::string_view text) {
  const auto root = read_root(text, "CompleteMultipartUploadResult");
  if (!root) return not_what_was_asked("end of an upload");
  return text_result(unquoted(text_at(*root, "ETag")));
}

Result<Credentials> read_sts_credentials(std::string_view text) {
  const auto root = read_root(text, "AssumeRoleWithWebIdentityResponse");
  const auto found = root ? root->get_child_optional("AssumeRoleWithWebIdentityResult.Credentials")
                          : boost::optional<const Tree&>();
  if (!found) return not_what_was_asked("set of credentials");
  return Credentials{text_at(*found, "AccessKeyId"), text_at(*found, "SecretAccessKey"),
                     text_at(*found, "SessionToken"), parse_time(text_at(*found, "Expiration"))};
}

std::string complete_upload_text(const std::vector<ListedPart>& parts) {
  std::string text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (const ListedPart& part : parts)  // ETags are hexadecimal: nothing in them is to be escaped
    text += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>&quot;{}&quot;</ETag></Part>", part.number,
                        part.etag);
  return text + "</CompleteMultipartUpload>";
}

std::optional<std::chrono::system_clock::time_point> parse_time(const std::string& text) {
  std::tm time{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  constexpr int kLastYear = 2261;  // of a clock that counts nanoseconds
  if (end == nullptr || time.tm_year + 1900 < 1970 || time.tm_year + 1900 > kLastYear) return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&time));
}

}  // namespace nowhere
