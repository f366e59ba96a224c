// What stands in a packed file. One LMDB file with five databases:
//   header   "header" -> JSON: version, codec, height, counts, digest, where the photographs came from
//   meta     record number -> checksum, then what is known about the photograph
//   frames   record number -> checksum, then size and pixels (raw RGB rows, or a JPEG)
//   ids      hash of the photograph's identity -> record number, so that a second run knows what is there
//   origins  hash of the identity, record number -> what the record was made of (older files lack it)
//   rejects  hash of the identity -> path, line break, reason
// Record numbers are 8 bytes, big-endian, in the order of a global shuffle.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "data/photos.h"
#include "image/crop_size.h"
#include "image/image.h"

namespace nowhere {

constexpr int kPackVersion = 1;
constexpr const char* kHeaderDb = "header";
constexpr const char* kMetaDb = "meta";
constexpr const char* kFramesDb = "frames";
constexpr const char* kIdsDb = "ids";
constexpr const char* kOriginsDb = "origins";
constexpr const char* kRejectsDb = "rejects";

enum class Codec : uint8_t { kRaw = 0, kJpeg = 1 };
std::string_view name_of(Codec codec);

// One call of `nowhere pack` that added something.
struct PackPart {
  std::string source;
  boost::json::object filters;
  int64_t added = 0;
};

struct PackHeader {
  int version = kPackVersion;
  Codec codec = Codec::kRaw;
  int height = 120;                // pixels of the shorter side; smaller photographs are kept as they are
  CropSize crop;                   // the rows in the middle that are kept, as many as a crop of this size has
  bool knows_photo_sizes = false;  // every record does; earlier versions did not note them
  bool complete = false;
  int64_t count = 0;
  uint64_t bytes = 0;  // of all frames
  SetDigest digest;    // of the checksums of all records
  std::vector<PackPart> parts;

  boost::json::object to_json() const;
  static Result<PackHeader> parse(std::string_view text);
};

// A record number as a key that sorts in order.
std::vector<uint8_t> record_key(uint64_t number);
Result<uint64_t> record_number(std::span<const uint8_t> key);

// A photograph may have the identity of another one: the same file name below another folder of the same
// name. The first keeps the name, the others get one with the checksum of their frame in it, so that file
// names, by which photographs without a sequence are split, stay what they are.
std::string distinct_name(std::string_view name,
                          uint64_t frame_checksum);  // "a/1.jpg" -> "a/#0123456789abcdef/1.jpg"
std::string plain_name(std::string_view name);       // and back

// Which photograph this is, for all that share their names.
std::string plain_identity(const Photos& photos, const Photo& photo);
// The name that a pack knows it by: the file's in the MSLS layout, elsewhere its way through the folders.
std::string plain_packed_name(const Photos& photos, const Photo& photo);

// A pack that is written at once holds photographs in the order of mix64 of this number, and shards are dealt
// out by it.
uint64_t pack_order(std::string_view plain_identity);

// What is known about a photograph, with the checksum in front.
std::vector<uint8_t> encode_meta(const Photos& photos, const Photo& photo, std::string_view name);
// Adds the photograph to the table.
Result<void> decode_meta(std::span<const uint8_t> value, Photos& photos);

struct Frame {
  int width = 0;
  int height = 0;
  Codec codec = Codec::kRaw;
  std::span<const uint8_t> payload;
  int photo_side = 0;  // the shorter side of the photograph it was made from; 0: not known
};

// A frame with its size, its codec and the checksum in front.
std::vector<uint8_t> encode_frame(const Frame& frame);
Result<Frame> decode_frame(std::span<const uint8_t> value);  // checks sizes, not the checksum

// Every value of `meta` and `frames` starts with the hash of what follows.
constexpr size_t kChecksumBytes = 8;
uint64_t stored_checksum(std::span<const uint8_t> value);
bool checksum_fits(std::span<const uint8_t> value);

// The share of one record in the pack's digest.
void add_to_digest(SetDigest& digest, uint64_t meta_checksum, uint64_t frame_checksum);

}  // namespace nowhere
