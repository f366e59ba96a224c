// TensorBoard's event files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/proto.h"
#include "image/image.h"
#include "observe/append_file.h"

namespace nowhere {

// Writes one new event file into the run's folder. Used by one thread. Records are buffered in memory and
// written by flush(), by the destructor, and when there are many.
//
// Only the constructor throws when the file cannot be written. Later a full disk loses records, but does not
// end the run: the file holds whole records only, and failure() says why the first were lost.
class EventWriter {
 public:
  explicit EventWriter(const std::filesystem::path& folder);
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  void scalar(std::string_view tag, int64_t step, double value);
  void image(std::string_view tag, int64_t step, const Image& image);
  // Nothing is written when no value is finite.
  void histogram(std::string_view tag, int64_t step, std::span<const float> values);

  // To be called first after a resume: TensorBoard then ignores the steps from `step` on in earlier files of
  // the folder.
  void restart(int64_t step);

  void flush();

  // Why the first lost records were lost; empty when none were.
  const std::string& failure() const { return file_.failure(); }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void summary(int64_t step, const ProtoMessage& value);
  void event(const ProtoMessage& event);

  AppendFile file_;
  std::string pending_;  // framed records, not yet in the file
};

}  // namespace nowhere
