// Where frames come from: a folder of photographs or packed files, behind one interface.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "data/pack_format.h"
#include "data/photo_frame.h"
#include "data/photos.h"
#include "data/scan.h"
#include "image/decode.h"
#include "image/image.h"

namespace nowhere {

class Source {
 public:
  // What a thread needs to read frames, kept from one to the next.
  struct Scratch {
    std::vector<uint8_t> bytes;  // of the file or the record that was read last
    Image image;
    Decoder decoder;
  };

  virtual ~Source() = default;

  virtual const Photos& photos() const = 0;
  virtual const ScanCounts& counts() const = 0;
  // As the user would name it, for messages.
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;
  // 32 hexadecimal digits of what packed files hold, in whatever order and number of files; empty elsewhere.
  virtual std::string digest() const { return ""; }

  // The frame of a photograph, valid until the scratch is used again. Safe to call from many threads, each
  // with its own scratch. `detail` as in Decoder::decode.
  virtual Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const = 0;

  // How much of each photograph there is: in a packed file perhaps only the middle.
  virtual CropSize crop_size() const { return {}; }
  // Whether crops can be measured in pixels of the photographs.
  virtual bool knows_photo_sizes() const { return true; }

  // The bytes of the photograph's file or record, into the scratch.
  virtual Result<void> read(size_t photo, Scratch& scratch) const = 0;

  // A number that stays the same as long as nobody touches the photograph's file; 0 when it cannot be told.
  // Much cheaper than reading it.
  virtual uint64_t stamp(size_t photo) const = 0;

  // How many bytes will_need() would fetch; 0 where it does nothing.
  virtual uint64_t stored_bytes(size_t /*photo*/) const { return 0; }
  // The photograph will be read soon: begins to fetch its bytes from the disk, and does not wait for them.
  virtual void will_need(size_t /*photo*/) const {}

  // The photograph as it stands in a packed file, to be copied into another without loss, valid until the
  // scratch is used again; nothing elsewhere.
  virtual std::optional<Frame> packed(size_t /*photo*/, Scratch& /*scratch*/) const { return std::nullopt; }
};

// DATA on the command line: a folder of photographs, a file that `nowhere pack` wrote, or several of these: a
// folder of them, or a pattern such as packs/*.nwp.
std::unique_ptr<Source> open_source(
    const std::filesystem::path& data, const std::function<bool()>& stop = [] { return false; });

}  // namespace nowhere
