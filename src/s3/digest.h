// Digests that S3 knows: MD5 for ETags and Content-MD5, SHA-256 for signatures.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nowhere {

using Md5 = std::array<uint8_t, 16>;
using Sha256 = std::array<uint8_t, 32>;

Md5 md5_of(std::span<const uint8_t> bytes);
Sha256 sha256_of(std::span<const uint8_t> bytes);

std::string hex_of(std::span<const uint8_t> bytes);
std::string base64_of(std::span<const uint8_t> bytes);

std::span<const uint8_t> bytes_of_text(std::string_view text);

}  // namespace nowhere
