// The files of web/ as part of the program: cmake/Embed.cmake writes the source.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nowhere {

struct EmbeddedFile {
  std::string_view name;  // "gallery.css"
  std::span<const uint8_t> bytes;
  std::string_view hash;  // of the bytes: 16 hex digits
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace nowhere
