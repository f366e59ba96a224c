#include "report/html.h"

#include <algorithm>

#include "core/text.h"

namespace nowhere {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string html_text(std::string_view text) {
  std::string result;
  for (const char c : printable_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string empty_element(std::string_view tag, const Attributes& attributes) {
  std::string html = "<";
  html += tag;
  for (const auto& [name, value] : attributes) {
    html += ' ';
    html += name;
    html += "=\"" + html_text(value) + "\"";
  }
  return html + ">";
}

std::string element(std::string_view tag, std::string_view content, const Attributes& attributes) {
  std::string html = empty_element(tag, attributes);
  html += content;
  html += "</";
  html += tag;
  return html + ">";
}

std::string base64(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t have = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = uint32_t{bytes[i]} << 16;
    if (have > 1) group |= uint32_t{bytes[i + 1]} << 8;
    if (have > 2) group |= uint32_t{bytes[i + 2]};
    text += kAlphabet[group >> 18];
    text += kAlphabet[group >> 12 & 63];
    text += have > 1 ? kAlphabet[group >> 6 & 63] : '=';
    text += have > 2 ? kAlphabet[group & 63] : '=';
  }
  return text;
}

std::string data_address(std::span<const uint8_t> bytes, std::string_view mime) {
  std::string address = "data:";
  address += mime;
  address += ";base64,";
  return address + base64(bytes);
}

}  // namespace nowhere
