// HTML as strings. Text from outside is escaped here, and nowhere else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nowhere {

// For between tags and inside quoted attributes. Bytes that are not UTF-8 and control characters become what
// printable_text makes of them.
std::string html_text(std::string_view text);

using Attributes = std::vector<std::pair<std::string_view, std::string_view>>;

// <tag name="value">content</tag>; `content` is HTML already, the attributes' values are not.
std::string element(std::string_view tag, std::string_view content, const Attributes& attributes = {});

// <tag name="value">, for tags without content: img, meta.
std::string empty_element(std::string_view tag, const Attributes& attributes);

std::string base64(std::span<const uint8_t> bytes);

// "data:image/png;base64,...": an address that is the picture itself.
std::string data_address(std::span<const uint8_t> bytes, std::string_view mime);

}  // namespace nowhere
