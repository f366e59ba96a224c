// The framing of records in event files, by which a reader recognises damaged and incomplete ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nowhere {

uint32_t crc32c(std::string_view bytes);

// Checksums of bytes that contain checksums are weak, so the format stores them rotated and offset.
uint32_t masked_crc32c(std::string_view bytes);

// Length, its checksum, the data, its checksum.
std::string frame_record(std::string_view data);

}  // namespace nowhere
