#include "data/pack_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/random.h"
#include "core/text.h"
#include "image/limits.h"

namespace nowhere {
namespace {

constexpr size_t kFrameHeader =
    kChecksumBytes + 8;  // width (2), height (2), codec (1), photo side (2), unused (1)

// Little-endian values one after the other.
class ByteWriter {
 public:
  template <class T>
  void put(T value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  void put_text(std::string_view text) {
    if (text.size() > UINT16_MAX)
      throw data_error(fmt::format("a name of {} bytes is too long to pack", text.size()));
    put(static_cast<uint16_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  // Puts the checksum of the rest into the first bytes.
  std::vector<uint8_t> sealed() && {
    const uint64_t checksum = hash64(std::span<const uint8_t>(bytes_).subspan(kChecksumBytes));
    std::memcpy(bytes_.data(), &checksum, sizeof(checksum));
    return std::move(bytes_);
  }

 private:
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(kChecksumBytes);
};

// Reads them back; past the end it gives zeros and remembers.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    T value{};
    if (rest_.size() < sizeof(T)) return short_ = true, value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return value;
  }
  std::string_view take_text() {
    const size_t size = take<uint16_t>();
    if (rest_.size() < size) return short_ = true, std::string_view();
    const std::string_view text(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
    return text;
  }
  bool was_whole() const { return !short_ && rest_.empty(); }

 private:
  std::span<const uint8_t> rest_;
  bool short_ = false;
};

template <class Enum>
Enum enum_up_to(uint8_t value, Enum last) {
  return value <= static_cast<uint8_t>(last) ? static_cast<Enum>(value) : Enum{};
}

}  // namespace

std::string_view name_of(Codec codec) {
  return codec == Codec::kRaw ? "raw" : "jpeg";
}

boost::json::object PackHeader::to_json() const {
  boost::json::array sources;
  for (const PackPart& part : parts)
    sources.push_back({{"source", part.source}, {"filters", part.filters}, {"added", part.added}});
  return {{"format", "nowhere pack"}, {"version", version},       {"codec", name_of(codec)},
          {"height", height},         {"crop_size", crop.text()}, {"photo_sizes", knows_photo_sizes},
          {"complete", complete},     {"count", count},           {"bytes", bytes},
          {"digest", digest.hex()},   {"parts", sources}};
}

namespace {

PackHeader header_from(const boost::json::value& json) {
  PackHeader header;
  header.version = json.at("version").to_number<int>();
  if (header.version != kPackVersion) return header;  // what else it says is that version's business
  header.codec = json.at("codec").as_string() == "jpeg" ? Codec::kJpeg : Codec::kRaw;
  header.height = json.at("height").to_number<int>();
  if (const auto* crop = json.as_object().if_contains("crop_size"))
    header.crop = CropSize::parse(crop->as_string()).value();
  if (const auto* sizes = json.as_object().if_contains("photo_sizes"))
    header.knows_photo_sizes = sizes->as_bool();
  header.complete = json.at("complete").as_bool();
  header.count = json.at("count").to_number<int64_t>();
  header.bytes = json.at("bytes").to_number<uint64_t>();
  const std::string digest(json.at("digest").as_string());
  header.digest.high = std::stoull(digest.substr(0, 16), nullptr, 16);
  header.digest.low = std::stoull(digest.substr(16), nullptr, 16);
  for (const auto& part : json.at("parts").as_array())
    header.parts.push_back({std::string(part.at("source").as_string()), part.at("filters").as_object(),
                            part.at("added").to_number<int64_t>()});
  return header;
}

}  // namespace

Result<PackHeader> PackHeader::parse(std::string_view text) {
  try {
    return header_from(boost::json::parse(boost::json::string_view(text.data(), text.size())));
  } catch (const std::exception& error) {
    return Failure{fmt::format("its header cannot be read: {}", error.what())};
  }
}

std::vector<uint8_t> record_key(uint64_t number) {
  std::vector<uint8_t> key(8);
  for (size_t i = 0; i < 8; ++i) key[i] = static_cast<uint8_t>(number >> (56 - 8 * i));
  return key;
}

Result<uint64_t> record_number(std::span<const uint8_t> key) {
  if (key.size() != 8) return Failure{"a record's number has the wrong size"};
  uint64_t number = 0;
  for (uint8_t byte : key) number = number << 8 | byte;
  return number;
}

std::string distinct_name(std::string_view name, uint64_t frame_checksum) {
  const size_t file = name.rfind('/') + 1;  // npos + 1 is 0
  return fmt::format("{}#{:016x}/{}", name.substr(0, file), frame_checksum, name.substr(file));
}

std::string plain_name(std::string_view name) {
  constexpr size_t kMark = 18;  // '#', 16 digits and '/'
  const size_t file = name.rfind('/') + 1;
  if (file < kMark) return std::string(name);
  const size_t begin = file - kMark;
  const std::string_view mark = name.substr(begin, kMark);
  const bool marked = mark[0] == '#' && mark.find_first_not_of("0123456789abcdef", 1) == kMark - 1 &&
                      (begin == 0 || name[begin - 1] == '/');
  if (!marked) return std::string(name);
  return fmt::format("{}{}", name.substr(0, begin), name.substr(file));
}

std::string plain_identity(const Photos& photos, const Photo& photo) {
  return plain_name(photos.identity(photo));
}

std::string plain_packed_name(const Photos& photos, const Photo& photo) {
  return photo.subset == Subset::kNone ? plain_identity(photos, photo) : plain_name(photos.name(photo));
}

uint64_t pack_order(std::string_view identity) {
  return hash64(identity, static_cast<uint64_t>(Purpose::kPackOrder));
}

std::vector<uint8_t> encode_meta(const Photos& photos, const Photo& photo, std::string_view name) {
  ByteWriter writer;
  for (uint8_t value : {static_cast<uint8_t>(photo.night), static_cast<uint8_t>(photo.pano),
                        static_cast<uint8_t>(photo.control_panel), static_cast<uint8_t>(photo.view),
                        static_cast<uint8_t>(photo.subset), static_cast<uint8_t>(photo.has_position)})
    writer.put(value);
  writer.put(photo.frame);
  writer.put(photo.easting);
  writer.put(photo.northing);
  writer.put_text(photos.city(photo));
  writer.put_text(photos.sequence(photo));
  writer.put_text(name);
  return std::move(writer).sealed();
}

Result<void> decode_meta(std::span<const uint8_t> value, Photos& photos) {
  if (!checksum_fits(value)) return Failure{"its metadata do not fit their checksum"};
  ByteReader reader(value.subspan(kChecksumBytes));
  Photo photo;
  photo.night = enum_up_to(reader.take<uint8_t>(), Flag::kYes);
  photo.pano = enum_up_to(reader.take<uint8_t>(), Flag::kYes);
  photo.control_panel = enum_up_to(reader.take<uint8_t>(), Flag::kYes);
  photo.view = enum_up_to(reader.take<uint8_t>(), View::kSideways);
  photo.subset = enum_up_to(reader.take<uint8_t>(), Subset::kQuery);
  photo.has_position = reader.take<uint8_t>() == 1;
  photo.frame = reader.take<int32_t>();
  photo.easting = reader.take<double>();
  photo.northing = reader.take<double>();
  const std::string_view city = reader.take_text(), sequence = reader.take_text(), name = reader.take_text();
  if (!reader.was_whole()) return Failure{"its metadata are cut short"};
  if (!city.empty()) photo.city = photos.cities.add(printable_text(city));
  if (!sequence.empty()) photo.sequence = photos.sequences.add(printable_text(sequence));
  photos.set_name(photo, name);
  photos.all.push_back(photo);
  return {};
}

std::vector<uint8_t> encode_frame(const Frame& frame) {
  std::vector<uint8_t> value(kFrameHeader + frame.payload.size());
  const auto width = static_cast<uint16_t>(frame.width), height = static_cast<uint16_t>(frame.height);
  std::memcpy(value.data() + kChecksumBytes, &width, 2);
  std::memcpy(value.data() + kChecksumBytes + 2, &height, 2);
  const auto photo_side = static_cast<uint16_t>(std::min(frame.photo_side, int{UINT16_MAX}));
  value[kChecksumBytes + 4] = static_cast<uint8_t>(frame.codec);
  std::memcpy(value.data() + kChecksumBytes + 5, &photo_side, 2);
  std::memcpy(value.data() + kFrameHeader, frame.payload.data(), frame.payload.size());
  const uint64_t checksum = hash64(std::span<const uint8_t>(value).subspan(kChecksumBytes));
  std::memcpy(value.data(), &checksum, sizeof(checksum));
  return value;
}

Result<Frame> decode_frame(std::span<const uint8_t> value) {
  if (value.size() < kFrameHeader) return Failure{"cut short"};
  ByteReader reader(value.subspan(kChecksumBytes));
  Frame frame;
  frame.width = reader.take<uint16_t>();
  frame.height = reader.take<uint16_t>();
  frame.codec = enum_up_to(reader.take<uint8_t>(), Codec::kJpeg);
  frame.photo_side = reader.take<uint16_t>();
  frame.payload = value.subspan(kFrameHeader);
  if (auto fits = check_size(frame.width, frame.height); !fits) return fits.error();
  const size_t raw = static_cast<size_t>(frame.width) * static_cast<size_t>(frame.height) * kChannels;
  if (frame.codec == Codec::kRaw && frame.payload.size() != raw) return Failure{"its pixels are cut short"};
  return frame;
}

uint64_t stored_checksum(std::span<const uint8_t> value) {
  uint64_t checksum = 0;
  if (value.size() >= kChecksumBytes) std::memcpy(&checksum, value.data(), kChecksumBytes);
  return checksum;
}

bool checksum_fits(std::span<const uint8_t> value) {
  return value.size() > kChecksumBytes && hash64(value.subspan(kChecksumBytes)) == stored_checksum(value);
}

void add_to_digest(SetDigest& digest, uint64_t meta_checksum, uint64_t frame_checksum) {
  std::array<uint8_t, 16> item{};
  std::memcpy(item.data(), &meta_checksum, 8);
  std::memcpy(item.data() + 8, &frame_checksum, 8);
  digest.add(item);
}

}  // namespace nowhere
