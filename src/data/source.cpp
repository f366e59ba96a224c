#include "data/source.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "data/pack_reader.h"

namespace nowhere {

int PhotoFrame::pixels_of(int length) const {
  const int longest = std::min(view.width, view.height);
  return std::clamp(static_cast<int>(std::lround(length * scale)), 1, longest);
}

namespace {

// A frame that shows all of its photograph.
PhotoFrame whole_frame(ImageView view, int short_side) {
  return {view, short_side, static_cast<double>(std::min(view.width, view.height)) / short_side};
}

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

  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    const auto view = pack_.frame(photo, detail, scratch.bytes, scratch.decoder, scratch.image);
    if (!view) return view.error();
    return whole_frame(*view, std::min(view->width, view->height));
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
