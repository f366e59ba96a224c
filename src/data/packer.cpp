#include "data/packer.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "core/file.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/ring.h"
#include "core/text.h"
#include "data/csv.h"
#include "data/pack_writer.h"
#include "image/jpeg.h"
#include "image/resize.h"

namespace nowhere {
namespace {

constexpr int kPackQuality = 92;
constexpr size_t kRingSlots = 256;

// One photograph on its way from a worker to the writer.
struct Packed {
  std::vector<uint8_t> frame;
  std::string reject_reason;  // empty: frame holds the record
};

// Turns photographs into records. One per thread.
class FrameMaker {
 public:
  FrameMaker(const Source& source, const PackConfig& config) : source_(source), config_(config) {}

  void make(uint32_t photo, Packed& packed) {
    packed.reject_reason.clear();
    const auto frame = source_.frame(photo, config_.height, scratch_);
    if (!frame) {
      packed.reject_reason = frame.error().reason;
      return;
    }
    const ImageView small = shrink(*frame);
    if (small.width > UINT16_MAX || small.height > UINT16_MAX) {
      packed.reject_reason =
          fmt::format("too long: {} x {} pixels after shrinking", small.width, small.height);
      return;
    }
    const auto payload = config_.codec == Codec::kRaw ? contiguous(small)
                                                      : encoder_.encode(small, kPackQuality, Chroma::kFull);
    packed.frame = encode_frame({small.width, small.height, config_.codec, payload});
  }

 private:
  ImageView shrink(ImageView frame) {
    if (std::min(frame.width, frame.height) <= config_.height) return frame;
    const auto [width, height] = fit_short_side(frame.width, frame.height, config_.height);
    small_ = resizer_.resize(frame, width, height);
    return small_.view();
  }

  static std::span<const uint8_t> contiguous(ImageView image) {
    return {image.data, image.stride * static_cast<size_t>(image.height)};  // frames come without gaps
  }

  const Source& source_;
  const PackConfig& config_;
  Source::Scratch scratch_;
  Resizer resizer_;
  JpegEncoder encoder_;
  Image small_;
};

// What is left to do, in the order of a global shuffle that depends on nothing but the photographs themselves.
// Neighbours in a drive are near-duplicates: read in sequence, a shuffled file still gives varied batches.
std::vector<uint32_t> plan(const Source& source, const std::vector<uint32_t>& selected, const Shard& shard,
                           const PackWriter& writer, int64_t& there_before) {
  constexpr auto kSalt = static_cast<uint64_t>(Purpose::kPackOrder);
  std::vector<std::pair<uint64_t, uint32_t>> order;
  const Photos& photos = source.photos();
  for (uint32_t number : selected) {
    const std::string identity = photos.identity(photos.all[number]);
    const uint64_t hash = hash64(identity, kSalt);
    if (hash % shard.count != shard.index - 1) continue;
    if (writer.has(identity))
      ++there_before;
    else
      order.emplace_back(mix64(hash), number);
  }
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> todo;
  for (const auto& [hash, number] : order) todo.push_back(number);
  return todo;
}

// The rejects of this run, as a table beside the pack; no rejects, no table.
class Rejects {
 public:
  explicit Rejects(std::filesystem::path path) : path_(std::move(path)) {}

  void add(const std::string& path, const std::string& reason) {
    rows_ += csv_cell(path) + "," + csv_cell(reason) + "\n";
    ++count_;
  }
  int64_t count() const { return count_; }

  void write() const {
    std::error_code ignored;
    if (count_ > 0)
      write_file(path_, "path,reason\n" + rows_);
    else
      std::filesystem::remove(path_, ignored);
  }

 private:
  std::filesystem::path path_;
  std::string rows_;
  int64_t count_ = 0;
};

// The threads that make records ahead of the writer, at most kRingSlots of them.
class Workers {
 public:
  Workers(const Source& source, const PackConfig& config, const std::vector<uint32_t>& todo)
      : ring_(kRingSlots, 1, todo.size()), slots_(kRingSlots) {
    for (int i = 0; i < std::max(config.threads, 1); ++i)
      threads_.emplace_back([this, &source, &config, &todo] { run(source, config, todo); });
  }
  ~Workers() { ring_.close(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // The next record in order, until release().
  const Packed& front() { return slots_[*ring_.front()]; }
  void release() { ring_.release(); }

 private:
  void run(const Source& source, const PackConfig& config, const std::vector<uint32_t>& todo) {
    try {
      FrameMaker maker(source, config);
      while (const auto job = ring_.claim()) {
        maker.make(todo[*job], slots_[ring_.slot_of(*job)]);
        ring_.finish(*job);
      }
    } catch (...) {
      ring_.fail(std::current_exception());
    }
  }

  OrderedRing ring_;
  std::vector<Packed> slots_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

PackSummary write_pack(PackWriter& writer, const Source& source, const std::vector<uint32_t>& selected,
                       const PackConfig& config, const std::function<void(int64_t, int64_t)>& progress,
                       const std::function<bool()>& stop) {
  PackSummary summary;
  const Photos& photos = source.photos();
  const std::vector<uint32_t> todo = plan(source, selected, config.shard, writer, summary.there_before);
  const int64_t total = summary.there_before + static_cast<int64_t>(todo.size());
  int64_t done = summary.there_before;
  Rejects rejects(rejects_path(config.output));
  Workers workers(source, config, todo);
  for (uint32_t number : todo) {
    if ((summary.stopped = stop())) break;
    const Photo& photo = photos.all[number];
    const Packed& packed = workers.front();
    if (packed.reject_reason.empty()) {
      writer.add(photos.identity(photo), encode_meta(photos, photo), packed.frame);
      ++summary.added;
    } else {
      const std::string path = printable(photos.path(photo));
      writer.reject(path, packed.reject_reason);
      rejects.add(path, packed.reject_reason);
    }
    workers.release();
    progress(++done, total);
  }
  rejects.write();
  summary.rejected = rejects.count();
  if (summary.stopped)
    writer.commit();
  else
    writer.finish(source.name(), config.filters);
  summary.header = writer.header();
  return summary;
}

}  // namespace

std::filesystem::path rejects_path(const std::filesystem::path& output) {
  std::filesystem::path path = output;
  path += ".rejects.csv";
  return path;
}

std::optional<Shard> parse_shard(std::string_view text) {
  const std::vector<std::string> parts = split_list(text, '/');
  if (parts.size() != 2) return std::nullopt;
  const auto index = parse_integer(parts[0]), count = parse_integer(parts[1]);
  if (!index || !count || *index < 1 || *index > *count) return std::nullopt;
  return Shard{static_cast<uint64_t>(*index), static_cast<uint64_t>(*count)};
}

PackSummary pack_photos(const Source& source, const std::vector<uint32_t>& selected, const PackConfig& config,
                        const std::function<void(int64_t done, int64_t total)>& progress,
                        const std::function<bool()>& stop) {
  PackSummary summary;
  {
    PackWriter writer(config.output, config.height, config.codec);
    summary = write_pack(writer, source, selected, config, progress, stop);
  }
  if (summary.header.count > 0 || summary.stopped) return summary;
  std::error_code ignored;
  std::filesystem::remove(config.output, ignored);  // a pack of nothing helps nobody
  if (summary.rejected == 0)
    throw data_error(fmt::format("shard {}/{} of {} photographs is empty; use fewer shards",
                                 config.shard.index, config.shard.count,
                                 with_commas(static_cast<int64_t>(selected.size()))));
  throw data_error(fmt::format("none of the {} photographs can be read; {} says why",
                               with_commas(summary.rejected), printable(rejects_path(config.output))));
}

}  // namespace nowhere
