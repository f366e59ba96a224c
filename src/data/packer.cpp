#include "data/packer.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>
#include <thread>

#include "core/file.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/ring.h"
#include "core/text.h"
#include "data/csv.h"
#include "data/file_bytes.h"
#include "data/frame_maker.h"
#include "data/lmdb_file.h"
#include "data/pack_writer.h"
#include "image/decode.h"

namespace nowhere {
namespace {

// How many records may wait for the writer: few when they are large.
size_t ring_slots(const PackConfig& config) {
  constexpr size_t kMaxBytes = size_t{256} << 20, kMaxSlots = 256;
  const auto side = static_cast<size_t>(config.height);
  const size_t frame = side * side * kChannels * 3 / 2;  // of a picture half as wide again as it is high
  return std::max(std::min(kMaxBytes / frame, kMaxSlots),
                  static_cast<size_t>(std::max(config.threads, 1)) * 2);
}

// A photograph to look at, and where in the plan the records stand that have its identity.
struct Job {
  uint32_t photo = 0;
  uint32_t first_known = 0;
  uint32_t known_count = 0;
};

struct Plan {
  std::vector<Job> jobs;
  std::vector<KnownRecord> known;

  std::span<const KnownRecord> known_of(const Job& job) const {
    return std::span(known).subspan(job.first_known, job.known_count);
  }
};

// Counts photographs that turn out to be in the pack: once as there before, copies of them as repeated.
class Found {
 public:
  Found(PackSummary& summary, int64_t records_before)
      : summary_(summary), seen_(static_cast<size_t>(records_before), false) {}

  void count(const KnownRecord& record) {
    if (record.number >= seen_.size() || seen_[record.number]) {
      ++summary_.repeated;
      return;
    }
    seen_[record.number] = true;
    ++summary_.there_before;
  }

 private:
  PackSummary& summary_;
  std::vector<bool> seen_;  // for every record that was there before this run
};

// What is left to do, in the order of a global shuffle that depends on nothing but the photographs
// themselves. Neighbours in a sequence are near-duplicates: read from start to end, a shuffled file still
// gives varied batches. A file that nobody touched since it was packed is not opened.
Plan make_plan(const Source& source, const std::vector<uint32_t>& selected, const Shard& shard,
               const PackWriter& writer, Found& found, const std::function<bool()>& stop) {
  std::vector<std::pair<uint64_t, Job>> order;
  Plan plan;
  const Photos& photos = source.photos();
  for (uint32_t number : selected) {
    if (stop()) break;
    const std::string identity = plain_identity(photos, photos.all[number]);
    const uint64_t hash = pack_order(identity);
    if (hash % shard.count != shard.index - 1) continue;
    const std::vector<KnownRecord> known = writer.known(identity);
    const uint64_t stamp = known.empty() ? 0 : source.stamp(number);
    const auto untouched = std::find_if(known.begin(), known.end(), [&](const KnownRecord& record) {
      return stamp != 0 && record.origin.stamp == stamp;
    });
    if (untouched != known.end()) {
      found.count(*untouched);
      continue;
    }
    const Job job{number, static_cast<uint32_t>(plan.known.size()), static_cast<uint32_t>(known.size())};
    plan.known.insert(plan.known.end(), known.begin(), known.end());
    order.emplace_back(mix64(hash), job);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.photo) < std::pair(b.first, b.second.photo);
  });
  for (const auto& [hash, job] : order) plan.jobs.push_back(job);
  return plan;
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
  Workers(const Source& source, const PackConfig& config, const Plan& plan)
      : ring_(ring_slots(config), 1, plan.jobs.size()), slots_(ring_slots(config)) {
    threads_ = start_workers(ring_, config.threads, [this, &source, &config, &plan] {
      FrameMaker maker(source, config);
      while (const auto number = ring_.claim()) {
        const Job& job = plan.jobs[*number];
        slots_[ring_.slot_of(*number)] = maker.make(job.photo, plan.known_of(job));
        ring_.finish(*number);
      }
    });
  }
  ~Workers() { ring_.close(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // The next one in order.
  MadeFrame next() {
    MadeFrame made = std::move(slots_[*ring_.front()]);
    ring_.release();
    return made;
  }

 private:
  OrderedRing ring_;
  std::vector<MadeFrame> slots_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

// The record of an identity that has this very frame.
std::optional<KnownRecord> same_frame(const std::vector<KnownRecord>& known, const MadeFrame& made) {
  for (KnownRecord record : known)
    if (record.frame_checksum == stored_checksum(made.frame)) {
      record.origin = made.origin;
      return record;
    }
  return std::nullopt;
}

void write_photo(PackWriter& writer, const Photos& photos, const Photo& photo, const MadeFrame& made,
                 Found& found, PackSummary& summary) {
  const std::string identity = plain_identity(photos, photo);
  if (!made.reject_reason.empty()) {
    writer.reject(identity, printable(photos.path(photo)), made.reject_reason);
    return;
  }
  // Asked anew: this run may have added a record of the same identity.
  const std::vector<KnownRecord> known = made.known ? std::vector<KnownRecord>() : writer.known(identity);
  if (const auto record = made.known ? made.known : same_frame(known, made)) {
    found.count(*record);
    writer.note_origin(identity, *record);
    return;
  }
  std::string name = plain_packed_name(photos, photo);
  if (!known.empty()) {
    name = distinct_name(name, stored_checksum(made.frame));
    ++summary.renamed;
  }
  writer.add(identity, encode_meta(photos, photo, name), made.frame, made.origin);
  ++summary.added;
}

PackSummary write_pack(PackWriter& writer, const Source& source, const std::vector<uint32_t>& selected,
                       const PackConfig& config, const std::function<void(int64_t, int64_t)>& progress,
                       const std::function<bool()>& stop) {
  PackSummary summary;
  Found found(summary, writer.header().count);
  const Plan plan = make_plan(source, selected, config.shard, writer, found, stop);
  int64_t done = summary.there_before + summary.repeated;
  const int64_t total = done + static_cast<int64_t>(plan.jobs.size());
  summary.stopped = stop();
  Workers workers(source, config, plan);
  for (const Job& job : plan.jobs) {
    if ((summary.stopped = stop())) break;
    write_photo(writer, source.photos(), source.photos().all[job.photo], workers.next(), found, summary);
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

void check_pack_output(const std::filesystem::path& path) {
  std::filesystem::path suggestion = path;
  suggestion.replace_extension(".nwp");
  if (has_photo_ending(path.filename().native()))
    throw usage_error(fmt::format("{} has the ending of a photograph; a packed file is usually called {}",
                                  printable(path), printable(suggestion)));
  std::error_code ignored;
  if (!path.has_filename() || std::filesystem::is_directory(path, ignored))
    throw usage_error(fmt::format("{} is a folder; give the name of a file, such as {}", printable(path),
                                  printable(path / "streets.nwp")));
  if (!std::filesystem::exists(path, ignored)) return;
  const auto file = FileBytes::open(path);
  if (!file) throw usage_error(fmt::format("{}; choose another output", file.error().reason));
  std::vector<uint8_t> start(std::min<uint64_t>(file->size(), LmdbFile::kStart));
  if (start.empty()) return;  // of a run that was killed before anything was written
  if (!file->read(0, start) || !LmdbFile::looks_like_one(start))
    throw usage_error(
        fmt::format("{} exists and is not a packed file; choose another output", printable(path)));
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
  PackConfig to_write = config;
  to_write.note_photo_sizes = writer.header().knows_photo_sizes;
  PackSummary summary = write_pack(writer, source, selected, to_write, progress, stop);
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
