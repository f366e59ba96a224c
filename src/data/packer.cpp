#include "data/packer.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <thread>
#include <unordered_set>

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

// How many records may wait for the writer: few when they are large.
size_t ring_slots(const PackConfig& config) {
  constexpr size_t kMaxBytes = size_t{256} << 20, kMaxSlots = 256;
  const auto side = static_cast<size_t>(config.height);
  const size_t frame = side * side * kChannels * 3 / 2;  // of a picture half as wide again as it is high
  return std::max(std::min(kMaxBytes / frame, kMaxSlots),
                  static_cast<size_t>(std::max(config.threads, 1)) * 2);
}

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
    if (const auto record = source_.packed(photo, scratch_); record && fits_as_it_is(*record)) {
      packed.frame = encode_frame(*record);
      return;
    }
    const auto frame = source_.frame(photo, {config_.height, config_.crop}, scratch_);
    if (!frame) {
      packed.reject_reason = frame.error().reason;
      return;
    }
    const ImageView small = shrink(middle_rows(*frame));
    if (small.width > UINT16_MAX || small.height > UINT16_MAX) {
      packed.reject_reason =
          fmt::format("too long: {} x {} pixels after shrinking", small.width, small.height);
      return;
    }
    const auto payload = config_.codec == Codec::kRaw ? contiguous(small)
                                                      : encoder_.encode(small, kPackQuality, Chroma::kFull);
    packed.frame = encode_frame({small.width, small.height, config_.codec, payload, frame->short_side});
  }

 private:
  // A record of another pack that this one would hold just so: copied, so that merging shards loses nothing.
  bool fits_as_it_is(const Frame& record) const {
    return record.codec == config_.codec && std::min(record.width, record.height) <= config_.height &&
           source_.crop_size() == config_.crop;
  }

  // All columns of the rows that a crop may show: it moves to the sides only.
  ImageView middle_rows(const PhotoFrame& frame) const {
    ImageView view = frame.view;
    if (source_.crop_size() == config_.crop) return view;
    const int rows = frame.pixels_of(config_.crop.side(frame.short_side, 0));
    view.data = view.row((view.height - rows) / 2);
    view.height = rows;
    return view;
  }

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

// What is left to do, in the order of a global shuffle that depends on nothing but the photographs
// themselves. Neighbours in a sequence are near-duplicates: read from start to end, a shuffled file still
// gives varied batches.
std::vector<uint32_t> plan(const Source& source, const std::vector<uint32_t>& selected, const Shard& shard,
                           const PackWriter& writer, PackSummary& summary) {
  constexpr auto kSalt = static_cast<uint64_t>(Purpose::kPackOrder);
  std::vector<std::pair<uint64_t, uint32_t>> order;
  std::unordered_set<uint64_t> seen;  // the same photograph twice in one tree is packed once
  const Photos& photos = source.photos();
  for (uint32_t number : selected) {
    const std::string identity = photos.identity(photos.all[number]);
    const uint64_t hash = hash64(identity, kSalt);
    if (hash % shard.count != shard.index - 1) continue;
    if (!seen.insert(hash).second)
      ++summary.repeated;
    else if (writer.has(identity))
      ++summary.there_before;
    else
      order.emplace_back(mix64(hash), number);
  }
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> todo;
  for (const auto& [hash, number] : order) todo.push_back(number);
  return todo;
}

// All that could not be packed, as a table beside the pack; nothing rejected, no table. Returns how many.
int64_t write_rejects(const PackWriter& writer, const std::filesystem::path& path) {
  std::vector<std::string> rows;
  writer.visit_rejects([&](std::string_view file, std::string_view reason) {
    rows.push_back(csv_cell(file) + "," + csv_cell(reason) + "\n");
  });
  std::sort(rows.begin(), rows.end());
  std::error_code ignored;
  if (rows.empty())
    std::filesystem::remove(path, ignored);
  else
    write_file(path, "path,reason\n" + join(rows, ""));
  return static_cast<int64_t>(rows.size());
}

// The threads that make records ahead of the writer.
class Workers {
 public:
  Workers(const Source& source, const PackConfig& config, const std::vector<uint32_t>& todo)
      : ring_(ring_slots(config), 1, todo.size()), slots_(ring_slots(config)) {
    threads_ = start_workers(ring_, config.threads, [this, &source, &config, &todo] {
      FrameMaker maker(source, config);
      while (const auto job = ring_.claim()) {
        maker.make(todo[*job], slots_[ring_.slot_of(*job)]);
        ring_.finish(*job);
      }
    });
  }
  ~Workers() { ring_.close(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // The next record in order.
  Packed next() {
    Packed packed = std::move(slots_[*ring_.front()]);
    ring_.release();
    return packed;
  }

 private:
  OrderedRing ring_;
  std::vector<Packed> slots_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

PackSummary write_pack(PackWriter& writer, const Source& source, const std::vector<uint32_t>& selected,
                       const PackConfig& config, const std::function<void(int64_t, int64_t)>& progress,
                       const std::function<bool()>& stop) {
  PackSummary summary;
  const Photos& photos = source.photos();
  const std::vector<uint32_t> todo = plan(source, selected, config.shard, writer, summary);
  const int64_t total = summary.there_before + static_cast<int64_t>(todo.size());
  int64_t done = summary.there_before;
  Workers workers(source, config, todo);
  for (uint32_t number : todo) {
    if ((summary.stopped = stop())) break;
    const Photo& photo = photos.all[number];
    const Packed packed = workers.next();
    if (packed.reject_reason.empty()) {
      writer.add(photos.identity(photo), encode_meta(photos, photo), packed.frame);
      ++summary.added;
    } else {
      writer.reject(photos.identity(photo), printable(photos.path(photo)), packed.reject_reason);
    }
    progress(++done, total);
  }
  summary.rejected = write_rejects(writer, rejects_path(config.output));
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
  if (!source.crop_size().is_full() && source.crop_size() != config.crop)
    throw usage_error(
        fmt::format("{} holds the middle of its photographs only; give --crop-size {}, as it has",
                    source.name(), source.crop_size().text()));
  PackWriter writer(config.output, config.height, config.codec, config.crop);
  PackSummary summary = write_pack(writer, source, selected, config, progress, stop);
  if (summary.header.count > 0 || summary.stopped) return summary;
  writer.discard_new_file();
  if (summary.rejected == 0)
    throw data_error(fmt::format("shard {}/{} of {} is empty; use fewer shards", config.shard.index,
                                 config.shard.count,
                                 counted(static_cast<int64_t>(selected.size()), "photograph")));
  throw data_error(fmt::format("no photograph can be read ({} rejected); {} says why",
                               with_commas(summary.rejected), printable(rejects_path(config.output))));
}

}  // namespace nowhere
