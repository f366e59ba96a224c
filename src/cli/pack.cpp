#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "core/console.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "data/augment.h"
#include "data/data_files.h"
#include "data/pack_reader.h"
#include "data/packer.h"

namespace nowhere {
namespace {

class Pack : public Command {
 public:
  Pack() {
    positionals_ = {
        {"DATA", "a folder of photographs, or packed files (with --verify: packed files)", &data_}};
    options_.text("output", output_, "FILE.nwp", "the packed file; an existing one is continued or added to");
    options_.letter('o');
    options_.integer("height", config_.height, 16, 4096, "shorter side of a frame, in pixels");
    declare_crop_size(options_, config_.crop, /*with_samples=*/false,
                      "keep the middle rows that crops of this size show: full, a share, or pixels");
    options_.choice("codec", config_.codec, {{"raw", Codec::kRaw}, {"jpeg", Codec::kJpeg}},
                    "raw is fastest, jpeg takes about a sixth of the space");
    options_.text("shard", shard_, "I/N", "pack only the I-th of N equal parts, 1/N to N/N");
    options_.flag("verify", verify_, "check every record of a packed file and print its digest");
    declare_threads(options_, config_.threads);
    filters_.declare(filter_options_);
    filters_.declare(options_);
    options_.flag("json", json_, "print the summary as JSON");
  }

  std::string name() const override { return "pack"; }
  std::string summary() const override {
    return "make one file for training; when stopped, run it again to continue";
  }
  std::string example() const override { return "nowhere pack streets -o streets.nwp --split train"; }

  int run() override { return verify_ ? verify() : pack(); }

 private:
  int pack() {
    if (output_.empty()) throw usage_error("no output given: nowhere pack DATA -o FILE.nwp");
    if (!shard_.empty()) {
      const auto shard = parse_shard(shard_);
      if (!shard)
        throw usage_error(fmt::format("--shard {}: give I/N with I from 1 to N, such as 2/8", shard_));
      config_.shard = *shard;
    }
    config_.output = output_;
    for (const auto& file : packed_files(data_)) {
      std::error_code ignored;
      if (std::filesystem::equivalent(config_.output, file, ignored))
        throw usage_error(
            fmt::format("{} cannot be packed into itself; give another output", printable(file)));
    }
    check_pack_output(config_.output);
    config_.filters = filter_options_.to_json();
    if (!shard_.empty()) config_.filters["shard"] = shard_;
    const Stopwatch watch;
    const auto source = open_source(data_, stop_requested);
    const Selection selection = select_with_progress(*source, filters_, config_.threads);
    if (config_.output.has_parent_path()) make_directories(config_.output.parent_path());
    PackSummary summary;
    {
      std::optional<Progress> line;
      summary = pack_photos(
          *source, selection.photos, config_,
          [&](int64_t done, int64_t total) {
            if (!line) line.emplace("packing", "images", total);
            line->update(done);
          },
          stop_requested);
    }
    report(selection, summary, watch.seconds());
    if (!summary.stopped) return 0;
    print_message("nowhere: stopped; run the same command again to continue where it stopped\n");
    return stopped_exit_code();
  }

  void report(const Selection& selection, const PackSummary& summary, double seconds) const {
    const PackHeader& header = summary.header;
    if (json_) {
      boost::json::object json = header.to_json();
      json["added"] = summary.added;
      json["there_before"] = summary.there_before;
      json["repeated"] = summary.repeated;
      json["renamed"] = summary.renamed;
      json["rejected"] = summary.rejected;
      json["seconds"] = seconds;
      fmt::print("{}\n", boost::json::serialize(json));
      return;
    }
    fmt::print("{}", filter_lines(selection));
    fmt::print("{}: {} of {} px, {}, {} ({} added, {} there before, {} rejected) in {}\n",
               printable(config_.output), counted(header.count, "photograph"), header.height,
               name_of(header.codec), human_bytes(header.bytes), with_commas(summary.added),
               with_commas(summary.there_before), with_commas(summary.rejected), human_time(seconds));
    if (summary.renamed > 0)
      fmt::print("{} packed beside another of the same name that looks different\n",
                 counted(summary.renamed, "photograph"));
    if (summary.repeated > 0)
      fmt::print("{} left out: the same again, name and pixels\n",
                 counted(summary.repeated, "copy", "copies"));
    if (summary.rejected > 0)
      fmt::print("rejected files and why: {}\n", printable(rejects_path(config_.output)));
    if (!summary.stopped) fmt::print("digest {}\n", header.digest.hex());
  }

  int verify() {
    const auto files = packed_files(data_);
    if (files.size() < 2) {
      print_verified(verify_file(files.empty() ? std::filesystem::path(data_) : files[0]));
      return 0;
    }
    boost::json::array headers;
    for (const auto& file : files) {
      const PackHeader header = verify_file(file);
      headers.push_back(header.to_json());
      if (!json_) fmt::print("{}: {}, all sound\n", printable(file), counted(header.count, "record"));
    }
    const auto set = open_source(data_, stop_requested);  // they fit together
    const auto photographs = static_cast<int64_t>(set->photos().all.size());
    if (json_)
      fmt::print("{}\n", boost::json::serialize(boost::json::object{
                             {"files", headers}, {"count", photographs}, {"digest", set->digest()}}));
    else
      fmt::print("{}: {} as one data set\ndigest {}\n", printable(data_), counted(photographs, "photograph"),
                 set->digest());
    return 0;
  }

  void print_verified(const PackHeader& header) const {
    if (json_)
      fmt::print("{}\n", boost::json::serialize(header.to_json()));
    else
      fmt::print("{}: {}, all sound\ndigest {}\n", printable(data_), counted(header.count, "record"),
                 header.digest.hex());
  }

  // Throws a data error when a record of the file is damaged or missing.
  PackHeader verify_file(const std::filesystem::path& file) const {
    const PackReader pack = PackReader::open(file);
    PackReader::Verdict verdict;
    {
      Progress line("verifying", "records", static_cast<int64_t>(pack.size()));
      verdict = pack.verify(
          config_.threads, [&](int64_t done) { line.update(done); }, stop_requested);
    }
    constexpr size_t kMaxShown = 10;
    for (size_t i = 0; i < std::min(kMaxShown, verdict.damaged.size()); ++i)
      fmt::print("{} ({})\n", verdict.damaged[i].reason,
                 printable_text(pack.photos().name(pack.photos().all[verdict.damaged[i].record])));
    if (!verdict.damaged.empty())
      throw data_error(
          fmt::format("{}: {} damaged, of {}; the first is record {}; training replaces damaged records, "
                      "removing the file and packing again repairs them",
                      printable(file), counted(static_cast<int64_t>(verdict.damaged.size()), "record"),
                      with_commas(static_cast<int64_t>(pack.size())), verdict.damaged.front().record));
    if (verdict.digest != pack.header().digest)
      throw data_error(
          fmt::format("{}: every record is sound, but some are missing (digest {} instead of {}); "
                      "remove it and pack again",
                      printable(file), verdict.digest.hex(), pack.header().digest.hex()));
    return pack.header();
  }

  std::string data_, output_, shard_;
  bool verify_ = false, json_ = false;
  PackConfig config_;
  FilterConfig filters_;
  Options filter_options_;  // the filters alone, for the header
};

}  // namespace

std::unique_ptr<Command> pack_command() {
  return std::make_unique<Pack>();
}

}  // namespace nowhere
