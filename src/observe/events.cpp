#include "observe/events.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include "core/file.h"
#include "image/encode.h"
#include "observe/event_record.h"
#include "observe/value_histogram.h"

namespace nowhere {
namespace {

constexpr size_t kMaxPendingBytes = 256 * 1024;

// Field numbers of the messages in TensorBoard's event.proto and summary.proto.
namespace field {
enum Event : uint32_t { kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7 };
enum SessionLog : uint32_t { kStatus = 1 };
enum Summary : uint32_t { kValue = 1 };
enum Value : uint32_t { kTag = 1, kSimpleValue = 2, kImage = 4, kHistogram = 5 };
enum Picture : uint32_t { kHeight = 1, kWidth = 2, kColorspace = 3, kEncoded = 4 };
enum Histogram : uint32_t { kMin = 1, kMax, kCount, kSum, kSumSquares, kLimits, kCounts };
}  // namespace field

constexpr int64_t kSessionStart = 1;
constexpr int64_t kColorspaceRgb = 3;

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

// TensorBoard reads the files of a folder in the order of their names, so the time comes first, with a fixed
// width.
AppendFile new_event_file(const std::filesystem::path& folder) {
  make_directories(folder);
  const std::string start = fmt::format("events.out.tfevents.{:010}.{}.{}", static_cast<int64_t>(wall_time()),
                                        host_name(), ::getpid());
  for (int number = 0;; ++number) {
    const auto path = folder / fmt::format("{}.{}", start, number);
    auto file = AppendFile::open(path, AppendFile::Open::kNew);
    if (file) return std::move(*file);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) throw Error(file.error().reason);
  }
}

ProtoMessage new_event() {
  return std::move(ProtoMessage().number(field::kWallTime, wall_time()));
}

ProtoMessage new_value(std::string_view tag) {
  return std::move(ProtoMessage().bytes(field::kTag, tag));
}

std::string_view as_text(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

EventWriter::EventWriter(const std::filesystem::path& folder) : file_(new_event_file(folder)) {
  event(new_event().bytes(field::kFileVersion, "brain.Event:2"));
  flush();  // TensorBoard shows the run from now on
}

EventWriter::~EventWriter() {
  flush();
}

void EventWriter::scalar(std::string_view tag, int64_t step, double value) {
  summary(step, new_value(tag).single(field::kSimpleValue, static_cast<float>(value)));
}

void EventWriter::image(std::string_view tag, int64_t step, const Image& image) {
  ProtoMessage picture;
  picture.integer(field::kHeight, image.height)
      .integer(field::kWidth, image.width)
      .integer(field::kColorspace, kColorspaceRgb)
      .bytes(field::kEncoded, as_text(encode_png(image)));
  summary(step, new_value(tag).message(field::kImage, picture));
}

void EventWriter::histogram(std::string_view tag, int64_t step, std::span<const float> values) {
  const ValueHistogram made = make_histogram(values);
  if (made.count == 0) return;
  ProtoMessage histogram;
  histogram.number(field::kMin, made.min)
      .number(field::kMax, made.max)
      .number(field::kCount, static_cast<double>(made.count))
      .number(field::kSum, made.sum)
      .number(field::kSumSquares, made.sum_squares)
      .numbers(field::kLimits, made.limits)
      .numbers(field::kCounts, made.counts);
  summary(step, new_value(tag).message(field::kHistogram, histogram));
}

void EventWriter::restart(int64_t step) {
  const ProtoMessage log = ProtoMessage().integer(field::kStatus, kSessionStart);
  event(new_event().integer(field::kStep, step).message(field::kSessionLog, log));
}

void EventWriter::flush() {
  if (!pending_.empty()) file_.append(pending_);
  pending_.clear();
}

void EventWriter::summary(int64_t step, const ProtoMessage& value) {
  const ProtoMessage summary = ProtoMessage().message(field::kValue, value);
  event(new_event().integer(field::kStep, step).message(field::kSummary, summary));
}

void EventWriter::event(const ProtoMessage& event) {
  pending_ += frame_record(event.data());
  if (pending_.size() >= kMaxPendingBytes) flush();
}

}  // namespace nowhere
