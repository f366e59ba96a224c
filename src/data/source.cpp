#include "data/source.h"

#include <fmt/core.h>

#include "core/file.h"
#include "data/pack_reader.h"

namespace nowhere {

namespace {

class FolderSource : public Source {
 public:
  explicit FolderSource(Scan scan) : scan_(std::move(scan)) {}

  const Photos& photos() const override { return scan_.photos; }
  const ScanCounts& counts() const override { return scan_.counts; }
  std::string name() const override { return printable(scan_.root); }
  std::string description() const override { return "folder"; }

  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    const auto path = scan_.photos.path(scan_.photos.all[photo]);
    if (auto read = read_file(path, scratch.bytes); !read) return read.error();
    if (auto decoded = scratch.decoder.decode(scratch.bytes, detail, scratch.image); !decoded)
      return decoded.error();
    return whole_frame(scratch.image.view(), scratch.decoder.short_side());
  }

 private:
  Scan scan_;
};

class PackSource : public Source {
 public:
  explicit PackSource(PackReader pack) : pack_(std::move(pack)) {}

  const Photos& photos() const override { return pack_.photos(); }
  const ScanCounts& counts() const override { return counts_; }
  std::string name() const override { return printable(pack_.path()); }
  std::string description() const override {
    const PackHeader& header = pack_.header();
    return fmt::format("packed file, {} px high, {}", header.height, name_of(header.codec));
  }
  CropSize crop_size() const override { return pack_.header().crop; }
  bool knows_photo_sizes() const override { return pack_.header().knows_photo_sizes; }

  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    return pack_.frame(photo, detail, scratch.bytes, scratch.decoder, scratch.image);
  }

  std::optional<Frame> packed(size_t photo, Scratch& scratch) const override {
    const auto record = pack_.record(photo, scratch.bytes);
    return record ? std::optional(*record) : std::nullopt;
  }

 private:
  PackReader pack_;
  ScanCounts counts_;
};

}  // namespace

std::unique_ptr<Source> open_source(const std::filesystem::path& data, const std::function<bool()>& stop) {
  std::error_code error;
  if (std::filesystem::is_regular_file(data, error))
    return std::make_unique<PackSource>(PackReader::open(data));
  return std::make_unique<FolderSource>(scan_folder(data, stop));
}

}  // namespace nowhere
