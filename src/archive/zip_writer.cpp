#include "archive/zip_writer.h"

#include <fmt/core.h>
#include <zip.h>

#include <memory>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

// Where a record's bytes start. In front of them is the registered extra field for alignment: its number, its
// size, then the alignment and as many zeros as it takes.
constexpr uint64_t kAlignment = 64;
constexpr uint16_t kAlignmentField = 0xd935;
constexpr uint64_t kFieldHeader = 4;
constexpr uint64_t kLocalHeader = 30;
// libzip adds this to the header of a record whose size does not fit 32 bits.
constexpr uint64_t kZip64Field = 20;
constexpr uint64_t kZip64From = 0xffffffff;

// 1980-01-01, the first day of the zip format: files do not depend on when they were written.
constexpr uint16_t kDosDate = 1 << 5 | 1;

// Carries out what libzip asks of the file that it writes to.
zip_int64_t handle_source_command(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  AtomicFile& file = *static_cast<AtomicFile*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_WRITABLE;
    case ZIP_SOURCE_STAT:
      zip_stat_init(static_cast<zip_stat_t*>(data));
      return sizeof(zip_stat_t);
    case ZIP_SOURCE_WRITE:
      return file.write(data, length) ? static_cast<zip_int64_t>(length) : -1;
    case ZIP_SOURCE_SEEK_WRITE: {
      const auto* wanted = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, nullptr);
      return wanted != nullptr && file.seek(wanted->offset, wanted->whence) ? 0 : -1;
    }
    case ZIP_SOURCE_TELL_WRITE:
      return file.tell();
    case ZIP_SOURCE_ERROR: {
      zip_error_t error;
      zip_error_init(&error);
      zip_error_set(&error, ZIP_ER_WRITE, file.error());
      return zip_error_to_data(&error, data, length);
    }
    case ZIP_SOURCE_READ:
    case ZIP_SOURCE_TELL:
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_SEEK:
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_FREE:
      return 0;  // nothing is read, and AtomicFile commits or removes the file
    default:
      return -1;
  }
}

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

// `offset` is the position of the record's header; returns that of the next one.
uint64_t add_record(zip_t* archive, const ZipRecord& record, uint64_t offset) {
  const auto refuse = [&] {
    throw Error(fmt::format("cannot add {}: {}", record.name, zip_strerror(archive)));
  };
  zip_source_t* source = zip_source_buffer(archive, record.bytes.data(), record.bytes.size(), 0);
  if (source == nullptr) refuse();
  const zip_int64_t added = zip_file_add(archive, record.name.c_str(), source, ZIP_FL_ENC_GUESS);
  if (added < 0) {
    zip_source_free(source);
    refuse();
  }
  const auto index = static_cast<zip_uint64_t>(added);
  const uint64_t before = offset + kLocalHeader + record.name.size() + kFieldHeader + sizeof(uint16_t) +
                          (record.bytes.size() >= kZip64From ? kZip64Field : 0);
  const uint64_t padding = (kAlignment - before % kAlignment) % kAlignment;
  std::vector<uint8_t> field(sizeof(uint16_t) + padding);
  field[0] = kAlignment;
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, index, 0, kDosDate, 0) != 0 ||
      zip_file_extra_field_set(archive, index, kAlignmentField, ZIP_EXTRA_FIELD_NEW, field.data(),
                               static_cast<uint16_t>(field.size()), ZIP_FL_LOCAL) != 0)
    refuse();
  return before + padding + record.bytes.size();
}

}  // namespace

void write_zip(const std::filesystem::path& path, std::span<const ZipRecord> records) {
  AtomicFile file(path);
  const auto refuse = [&](zip_error_t* error) {
    const int reason = file.error();
    throw Error(fmt::format("cannot write {}: {}", printable(path),
                            reason != 0 ? system_reason(reason) : std::string(zip_error_strerror(error))));
  };
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_function_create(handle_source_command, &file, &error);
  Archive archive(source != nullptr ? zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error)
                                    : nullptr);
  if (archive == nullptr) {
    zip_source_free(source);
    refuse(&error);
  }
  uint64_t offset = 0;
  for (const ZipRecord& record : records) offset = add_record(archive.get(), record, offset);
  if (zip_close(archive.get()) != 0) refuse(zip_get_error(archive.get()));
  static_cast<void>(archive.release());  // zip_close freed it
  file.commit();
}

}  // namespace nowhere
