#include "archive/zip_reader.h"

#include <fmt/core.h>
#include <zip.h>

#include "core/text.h"

namespace nowhere {
namespace {

struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

Failure damaged(const std::string& name, std::string_view what) {
  return Failure{fmt::format("its record {} is damaged ({}); copy the file again or take an earlier one",
                             printable_text(name.substr(0, 200)), what)};
}

}  // namespace

void ZipReader::Close::operator()(zip* archive) const {
  zip_discard(archive);
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

Result<std::vector<uint8_t>> ZipReader::read(const std::string& name) {
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
  const std::unique_ptr<zip_file_t, CloseFile> file(
      zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
  if (file == nullptr) return damaged(name, zip_strerror(archive_.get()));
  // One byte more than there should be: libzip compares the checksum only at the end.
  std::vector<uint8_t> bytes(entry.size + 1);
  size_t have = 0;
  while (have < bytes.size()) {
    const zip_int64_t got = zip_fread(file.get(), bytes.data() + have, bytes.size() - have);
    if (got < 0) return damaged(name, zip_file_strerror(file.get()));
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  if (have != entry.size) return damaged(name, "it is cut off");
  bytes.pop_back();
  return bytes;
}

}  // namespace nowhere
