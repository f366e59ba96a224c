// Whole files to and from S3: large ones in parts, several at once, and checked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "s3/client.h"

namespace nowhere {

struct TransferSizes {
  uint64_t whole = 64 << 20;  // bytes that go in one request
  uint64_t part = 16 << 20;   // of a larger file; S3 wants 5 MiB at least
  int at_once = 4;            // parts
};

// The part that makes at most 10,000 of a file: S3 takes no more.
uint64_t part_size_for(uint64_t file_size, const TransferSizes& sizes);

// The ETag of an object of several parts: the MD5 of their MD5s, and their number.
std::string etag_of_parts(std::span<const Md5> parts);

// An upload that was cut goes on with the parts that the server has. What cannot be finished is removed
// there.
S3Result<void> upload_file(S3Client& client, const S3Url& file, std::span<const uint8_t> bytes,
                           const TransferSizes& sizes = {});

S3Result<std::vector<uint8_t>> download_file(S3Client& client, const S3Url& file,
                                             const TransferSizes& sizes = {});

}  // namespace nowhere
