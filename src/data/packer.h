// The job behind `nowhere pack`: photographs in, one shuffled file of small frames out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/options.h"
#include "data/filter.h"
#include "data/pack_format.h"
#include "data/source.h"

namespace nowhere {

struct Shard {
  uint64_t index = 1;  // 1 to count
  uint64_t count = 1;
};

struct PackConfig {
  std::filesystem::path output;
  int height = 120;
  Codec codec = Codec::kRaw;
  CropSize crop;  // keep the middle rows of each photograph, as many as a crop of this size has
  // Whether records say how large their photographs were; a file of an earlier version goes on without.
  bool note_photo_sizes = true;
  Shard shard;
  boost::json::object filters;  // as they were given, for the header
  int threads = 1;
};

struct PackSummary {
  PackHeader header;
  int64_t added = 0;
  int64_t there_before = 0;
  int64_t repeated = 0;  // copies of a photograph that is packed once
  int64_t renamed = 0;   // of those added: the name belonged to another photograph
  int64_t rejected = 0;  // in this run and in earlier ones, unless repaired since
  bool stopped = false;  // by stop(); the file resumes
};

// Packs the selected photographs that the file does not have yet. One that has the identity of another
// photograph is added under a name of its own. `progress(done, total)` and `stop()` are called from the
// calling thread. Files that cannot be used are listed in OUTPUT.rejects.csv with the reason.
PackSummary pack_photos(const Source& source, const std::vector<uint32_t>& selected, const PackConfig& config,
                        const std::function<void(int64_t done, int64_t total)>& progress,
                        const std::function<bool()>& stop);

// "2/8" -> {2, 8}, or nothing.
std::optional<Shard> parse_shard(std::string_view text);

// Throws a usage error when a pack cannot be written to `path` or is surely not meant to: a photograph's
// ending, a folder, a file that is no pack.
void check_pack_output(const std::filesystem::path& path);

std::filesystem::path rejects_path(const std::filesystem::path& output);

}  // namespace nowhere
