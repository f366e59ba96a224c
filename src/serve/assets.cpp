#include "serve/assets.h"

#include <algorithm>
#include <utility>

#include "serve/http_rules.h"

namespace nowhere {
namespace {

std::string_view ending(std::string_view name) {
  return name.substr(std::min(name.rfind('.'), name.size()));
}

std::string mime_of(std::string_view name) {
  const std::string_view end = ending(name);
  if (end == ".html") return "text/html; charset=utf-8";
  if (end == ".css") return "text/css; charset=utf-8";
  if (end == ".js") return "text/javascript; charset=utf-8";
  if (end == ".json") return "application/json";
  if (end == ".svg") return "image/svg+xml";
  if (end == ".png") return "image/png";
  if (end == ".webp") return "image/webp";
  if (end == ".woff2") return "font/woff2";
  return "application/octet-stream";
}

bool refers_to_others(std::string_view name) {
  const std::string_view end = ending(name);
  return end == ".html" || end == ".css" || end == ".js";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Assets::Assets(std::span<const EmbeddedFile> files) {
  std::string hashes;
  for (const EmbeddedFile& file : files) hashes += file.hash;
  version_ = etag_of(hashes).substr(1, 16);
  for (const EmbeddedFile& file : files) {
    HttpBody body = HttpBody::permanent(file.bytes);
    if (refers_to_others(file.name)) {
      std::string text(file.bytes.begin(), file.bytes.end());
      for (const EmbeddedFile& other : files) {
        const std::string name(other.name);
        for (const std::string& path : {"\"/assets/" + name, "\"./" + name})
          replace_all(text, path + "\"", path + "?v=" + version_ + "\"");
      }
      body = std::move(text);
    }
    const std::string_view bytes(reinterpret_cast<const char*>(body.bytes().data()), body.bytes().size());
    assets_.emplace(file.name, Asset{mime_of(file.name), etag_of(bytes), body});
  }
}

const Asset* Assets::find(std::string_view name) const {
  const auto found = assets_.find(name);
  return found == assets_.end() ? nullptr : &found->second;
}

}  // namespace nowhere
