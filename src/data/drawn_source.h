// Photographs of a source in an order that depends on which photographs they are, not on where they stand in
// its table: a folder and the pack that was made of it give the same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "data/source.h"

namespace nowhere {

// A shuffle of the selected photographs by a hash of the seed and of each one's identity. Its first N are an
// even draw, and the same N whatever the order of the table.
std::vector<uint32_t> drawn_order(const Photos& photos, const std::vector<uint32_t>& selected, uint64_t seed);

// The photographs that were drawn, numbered anew from 0. What is keyed on a photograph's number, such as its
// crop, no longer depends on the table either.
class DrawnSource : public Source {
 public:
  // `source` outlives it; `drawn` are numbers in its table.
  DrawnSource(const Source& source, std::vector<uint32_t> drawn);

  const Photos& photos() const override { return photos_; }
  const ScanCounts& counts() const override { return source_.counts(); }
  std::string name() const override { return source_.name(); }
  std::string description() const override { return source_.description(); }
  std::string digest() const override { return source_.digest(); }
  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    return source_.frame(drawn_[photo], detail, scratch);
  }
  CropSize crop_size() const override { return source_.crop_size(); }
  bool knows_photo_sizes() const override { return source_.knows_photo_sizes(); }
  Result<void> read(size_t photo, Scratch& scratch) const override {
    return source_.read(drawn_[photo], scratch);
  }
  uint64_t stamp(size_t photo) const override { return source_.stamp(drawn_[photo]); }
  uint64_t stored_bytes(size_t photo) const override { return source_.stored_bytes(drawn_[photo]); }
  void will_need(size_t photo) const override { source_.will_need(drawn_[photo]); }
  std::optional<Frame> packed(size_t photo, Scratch& scratch) const override {
    return source_.packed(drawn_[photo], scratch);
  }

  const Source& source() const { return source_; }                         // that was drawn from
  uint32_t number_in_source(size_t photo) const { return drawn_[photo]; }  // in its table

 private:
  const Source& source_;
  std::vector<uint32_t> drawn_;
  Photos photos_;
};

}  // namespace nowhere
