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

// Writes one new event file into the run's folder. Used by one thread. Records are gathered in memory and written by
// flush(), by the destructor, and whenever enough of them have come together.
//
// Only the constructor throws on trouble with the file. Later on a full disk costs the records of that moment, never
// the run: the file keeps whole records only, and failure() tells why the first were lost.
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
  void text(std::string_view tag, int64_t step, std::string_view markdown);

  // First thing after a resume: TensorBoard forgets what earlier files of the folder say about `step` and later.
  void restart(int64_t step);

  void flush();

  // Why records were lost, the first time; empty while none were.
  const std::string& failure() const { return file_.failure(); }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void summary(int64_t step, const ProtoMessage& value);
  void event(const ProtoMessage& event);

  AppendFile file_;
  std::string pending_;  // framed records, not yet in the file
};

}  // namespace nowhere
