#include "image/png.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "core/error.h"

namespace nowhere {
namespace {

constexpr uint8_t kSubFilter = 1;  // each byte less the one of the pixel before it

using Bytes = std::vector<uint8_t>;

// The lines, each behind the number of its filter.
Bytes filtered_lines(const Image& image) {
  const size_t line = static_cast<size_t>(image.width) * kChannels;
  Bytes lines(static_cast<size_t>(image.height) * (line + 1));
  const uint8_t* from = image.pixels.data();
  uint8_t* to = lines.data();
  for (int y = 0; y < image.height; ++y, from += line) {
    *to++ = kSubFilter;
    for (size_t i = 0; i < std::min<size_t>(line, kChannels); ++i) to[i] = from[i];
    for (size_t i = kChannels; i < line; ++i) to[i] = static_cast<uint8_t>(from[i] - from[i - kChannels]);
    to += line;
  }
  return lines;
}

Bytes compressed(const Bytes& bytes) {
  constexpr int kLevel = 1;
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  if (!compressor) throw Error("cannot encode a PNG: out of memory");
  Bytes made(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  const size_t size =
      libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), made.data(), made.size());
  if (size == 0) throw Error("cannot encode a PNG: the compressed picture has no room");
  made.resize(size);
  return made;
}

void append_number(uint32_t number, Bytes& to) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<uint8_t>(number >> shift));
}

// Length, name, contents, checksum of name and contents.
void append_chunk(std::string_view name, std::span<const uint8_t> contents, Bytes& to) {
  append_number(static_cast<uint32_t>(contents.size()), to);
  const size_t checked = to.size();
  to.insert(to.end(), name.begin(), name.end());
  to.insert(to.end(), contents.begin(), contents.end());
  append_number(libdeflate_crc32(0, to.data() + checked, to.size() - checked), to);
}

Bytes header_of(const Image& image) {
  Bytes header;
  append_number(static_cast<uint32_t>(image.width), header);
  append_number(static_cast<uint32_t>(image.height), header);
  // 8 bits of RGB; the only compression and filters there are; not interlaced.
  header.insert(header.end(), {8, 2, 0, 0, 0});
  return header;
}

}  // namespace

Bytes png_encode(const Image& image) {
  constexpr std::array<uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  constexpr size_t kLongestChunk = 0x7fffffff;
  if (image.width <= 0 || image.height <= 0) throw Error("cannot encode a PNG: the picture is empty");
  const Bytes data = compressed(filtered_lines(image));
  Bytes file(kSignature.begin(), kSignature.end());
  file.reserve(data.size() + 64);
  append_chunk("IHDR", header_of(image), file);
  for (std::span<const uint8_t> rest = data; !rest.empty();) {
    const auto part = rest.first(std::min(rest.size(), kLongestChunk));
    append_chunk("IDAT", part, file);
    rest = rest.subspan(part.size());
  }
  append_chunk("IEND", {}, file);
  return file;
}

}  // namespace nowhere
