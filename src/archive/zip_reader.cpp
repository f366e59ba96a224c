#include "archive/zip_reader.h"

#include <fmt/core.h>
#include <zip.h>

#include <algorithm>

#include "core/text.h"

namespace nowhere {
namespace {

Failure damaged(const std::string& name, std::string_view what) {
  return Failure{fmt::format("its record {} is damaged ({}); copy the file again or take an earlier one",
                             printable_text(name.substr(0, 200)), what)};
}

// As many bytes as are there, up to the buffer's size; libzip compares the checksum at the end.
Result<size_t> fill(zip_file_t* file, std::span<uint8_t> buffer, const std::string& name) {
  size_t have = 0;
  while (have < buffer.size()) {
    const zip_int64_t got = zip_fread(file, buffer.data() + have, buffer.size() - have);
    if (got < 0) return damaged(name, zip_file_strerror(file));
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  return have;
}

}  // namespace

void ZipReader::Close::operator()(zip* archive) const {
  zip_discard(archive);
}

void ZipReader::CloseFile::operator()(zip_file* file) const {
  zip_fclose(file);
}

Result<ZipReader> ZipReader::open(std::span<const uint8_t> file) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(file.data(), file.size(), 0, &error);
  zip_t* archive = source != nullptr ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (archive == nullptr) {
    zip_source_free(source);
    Failure failure{zip_error_strerror(&error)};
    zip_error_fini(&error);
    return failure;
  }
  zip_error_fini(&error);
  ZipReader reader;
  reader.archive_.reset(archive);
  reader.unread_ = file.size();
  return reader;
}

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> names;
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
    if (name != nullptr) names.emplace_back(name);
  }
  return names;
}

bool ZipReader::has(const std::string& name) const {
  return zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_ENC_RAW) >= 0;
}

Result<ZipReader::Record> ZipReader::open_record(const std::string& name) {
  const zip_int64_t index = zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_ENC_RAW);
  if (index < 0) return Failure{fmt::format("its record {} is missing", printable_text(name.substr(0, 200)))};
  zip_stat_t entry;
  constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
  if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(index), 0, &entry) != 0 ||
      (entry.valid & kNeeded) != kNeeded)
    return damaged(name, "its entry is incomplete");
  if (entry.comp_method != ZIP_CM_STORE || entry.encryption_method != ZIP_EM_NONE)
    return Failure{fmt::format("its record {} is compressed or encrypted, which torch.save does not do",
                               printable_text(name.substr(0, 200)))};
  if (entry.size > unread_ || entry.comp_size != entry.size) return damaged(name, "its size is impossible");
  unread_ -= entry.size;
  Record record;
  record.file.reset(zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
  record.size = entry.size;
  if (record.file == nullptr) return damaged(name, zip_strerror(archive_.get()));
  return record;
}

Result<std::vector<uint8_t>> ZipReader::read(const std::string& name) {
  const auto record = open_record(name);
  if (!record) return record.error();
  std::vector<uint8_t> bytes(record->size + 1);  // one more than there should be: the end is to be reached
  const auto have = fill(record->file.get(), bytes, name);
  if (!have) return have.error();
  if (*have != record->size) return damaged(name, "it is cut off");
  bytes.pop_back();
  return bytes;
}

Result<void> ZipReader::compare(const std::string& name, std::span<const uint8_t> bytes) {
  const auto record = open_record(name);
  if (!record) return record.error();
  std::vector<uint8_t> buffer(size_t{1} << 20);
  while (true) {
    const auto have = fill(record->file.get(), buffer, name);
    if (!have) return have.error();
    if (*have > bytes.size() || !std::equal(bytes.begin(), bytes.begin() + *have, buffer.begin()))
      return damaged(name, "it is not what was written");
    bytes = bytes.subspan(*have);
    if (*have < buffer.size()) break;
  }
  if (!bytes.empty()) return damaged(name, "it is cut off");
  return {};
}

}  // namespace nowhere
