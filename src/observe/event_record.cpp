#include "observe/event_record.h"

#include <bit>
#include <boost/crc.hpp>

#include "core/little_endian.h"

namespace nowhere {

uint32_t crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1edc6f41, 0xffffffff, 0xffffffff, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return static_cast<uint32_t>(crc.checksum());
}

uint32_t masked_crc32c(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8u;
}

std::string frame_record(std::string_view data) {
  std::string record;
  record.reserve(data.size() + 16);
  append_little_endian(record, uint64_t{data.size()});
  append_little_endian(record, masked_crc32c(record));
  record += data;
  append_little_endian(record, masked_crc32c(data));
  return record;
}

}  // namespace nowhere
