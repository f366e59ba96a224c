#include "s3/digest.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include "core/error.h"

namespace nowhere {
namespace {

template <size_t kSize>
std::array<uint8_t, kSize> digest_of(std::span<const uint8_t> bytes, const EVP_MD* kind) {
  std::array<uint8_t, kSize> digest;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, kind, nullptr) != 1 || size != kSize)
    throw Error("OpenSSL cannot compute a digest that S3 needs (MD5 or SHA-256); see its configuration");
  return digest;
}

}  // namespace

Md5 md5_of(std::span<const uint8_t> bytes) {
  return digest_of<16>(bytes, EVP_md5());
}

Sha256 sha256_of(std::span<const uint8_t> bytes) {
  return digest_of<32>(bytes, EVP_sha256());
}

std::string hex_of(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string base64_of(std::span<const uint8_t> bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // and the zero that OpenSSL puts behind it
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

std::span<const uint8_t> bytes_of_text(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace nowhere
