#include "cli/bench_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "cli/common.h"
#include "core/proc.h"
#include "core/signals.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "data/pack_index.h"

namespace nowhere {
namespace {

// A table of photographs in sequences of 200 frames, without names. Empty where nobody asks for sequences:
// the order needs no table then.
Photos generated_photos(int64_t photographs, bool with_sequences) {
  constexpr int64_t kFrames = 200;
  Photos photos;
  if (!with_sequences) return photos;
  photos.all.reserve(static_cast<size_t>(photographs));
  for (int64_t i = 0; i < photographs; ++i)
    photos.all.emplace_back().sequence = static_cast<uint32_t>(i / kFrames);
  const auto sequences = static_cast<size_t>((photographs + kFrames - 1) / kFrames);
  photos.sequences = StringPool(std::vector<uint64_t>(sequences, 0), {});
  return photos;
}

}  // namespace

ScanBench bench_scan(const std::string& data, const LoadingOptions& loading) {
  ScanBench bench;
  bench.bytes_at_start = process_memory().peak;
  Stopwatch watch;
  const auto source = open_source(data, stop_requested);
  bench.open_seconds = watch.lap();
  const Selection all = select_with_progress(*source, {}, 1);
  bench.photographs = static_cast<int64_t>(loading.sampler(*source, all.photos).epoch(0).size());
  bench.order_seconds = watch.lap();
  bench.peak_bytes = process_memory().peak;
  return bench;
}

boost::json::object ScanBench::to_json() const {
  return {{"photographs", photographs},   {"seconds", open_seconds + order_seconds},
          {"open_seconds", open_seconds}, {"order_seconds", order_seconds},
          {"peak_bytes", peak_bytes},     {"bytes_at_start", bytes_at_start}};
}

std::string ScanBench::text() const {
  return fmt::format("{} found in {} and put in order in {}, peak memory {}\n",
                     counted(photographs, "photograph"), human_time(open_seconds), human_time(order_seconds),
                     human_bytes(peak_bytes));
}

OrderBench bench_order(int64_t photographs, int ranks, const LoadingOptions& loading) {
  OrderBench bench{.photographs = photographs, .ranks = ranks};
  constexpr uint64_t kNameBytes = 26;  // of a key of MSLS and its ending
  bench.index_bytes =
      static_cast<uint64_t>(photographs) * (sizeof(Photo) + sizeof(PackedRecord) + kNameBytes);
  const bool limited = loading.max_per_sequence_epoch > 0;
  const Photos photos = generated_photos(photographs, limited);
  const auto sampler_of = [&](int rank) {
    return Sampler::of_first(photos, static_cast<size_t>(photographs),
                             {.seed = loading.seed,
                              .max_per_sequence_epoch = loading.max_per_sequence_epoch,
                              .rank = rank,
                              .world_size = ranks});
  };
  bench.bytes_at_start = process_memory().resident;
  {
    const Stopwatch watch;
    const Sampler first = sampler_of(0);
    bench.prepare_seconds = watch.seconds();
    bench.per_rank = static_cast<int64_t>(first.epoch(0).size());
    bench.peak_bytes = process_memory().peak;
  }
  std::vector<bool> drawn(static_cast<size_t>(photographs), false);
  bench.disjoint = true;
  for (int rank = 0; rank < ranks; ++rank) {
    if (stop_requested()) throw Stopped();
    const Sampler sampler = sampler_of(rank);
    const Stopwatch watch;
    const std::vector<uint32_t> epoch = sampler.epoch(0);
    bench.order_seconds += watch.seconds() / ranks;
    for (const uint32_t photo : epoch) {
      bench.disjoint = bench.disjoint && !drawn[photo];
      drawn[photo] = true;
    }
  }
  bench.left_out = photographs - bench.per_rank * ranks;
  return bench;
}

boost::json::object OrderBench::to_json() const {
  return {{"photographs", photographs},     {"ranks", ranks},
          {"per_rank", per_rank},           {"prepare_seconds", prepare_seconds},
          {"order_seconds", order_seconds}, {"bytes_at_start", bytes_at_start},
          {"peak_bytes", peak_bytes},       {"index_bytes", index_bytes},
          {"left_out", left_out},           {"disjoint", disjoint}};
}

std::string OrderBench::text() const {
  const double nanoseconds = 1e9 * order_seconds / static_cast<double>(std::max<int64_t>(per_rank, 1));
  return fmt::format(
      "{} on {}, {} each in an epoch and {} left out; {}\n"
      "a rank is ready in {:.3f} s and draws its epoch in {:.3f} s, {:.0f} ns a photograph\n"
      "memory of a rank: {} before, {} at the most\n"
      "an index of so many photographs takes about {}, once on a machine\n",
      counted(photographs, "photograph"), counted(ranks, "rank"), with_commas(per_rank),
      with_commas(left_out), disjoint ? "none is drawn twice" : "some are drawn twice", prepare_seconds,
      order_seconds, nanoseconds, human_bytes(bytes_at_start), human_bytes(peak_bytes),
      human_bytes(index_bytes));
}

}  // namespace nowhere
