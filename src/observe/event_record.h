// How event files frame their records, so that a reader can tell a damaged or half-written one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nowhere {

uint32_t crc32c(std::string_view bytes);

// A checksum of bytes that themselves hold checksums is weak; the format stores them turned and shifted.
uint32_t masked_crc32c(std::string_view bytes);

// Length, its checksum, the data, its checksum.
std::string frame_record(std::string_view data);

}  // namespace nowhere
