#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cli/commands.h"
#include "cli/common.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/text.h"

namespace nowhere {
namespace {

struct BadFile {
  std::string path;
  std::string reason;
};

// Photographs by the values of one property.
using Counts = std::map<std::string, int64_t>;

std::string flag_text(Flag flag) {
  return flag == Flag::kYes ? "yes" : flag == Flag::kNo ? "no" : "unknown";
}

struct Tally {
  Counts cities, subsets, night, views, sequences, folders;

  Tally(const Photos& photos, const Selection& selection) {
    for (uint32_t number : selection.photos) {
      const Photo& photo = photos.all[number];
      ++cities[photo.city == kNoString ? "none" : std::string(photos.city(photo))];
      ++subsets[std::string(name_of(photo.subset))];
      ++night[flag_text(photo.night)];
      ++views[std::string(name_of(photo.view))];
      if (photo.sequence != kNoString) ++sequences[std::string(photos.sequence(photo))];
      if (photo.subset == Subset::kNone) ++folders[folder_of(plain_identity(photos, photo))];
    }
  }

 private:
  static std::string folder_of(std::string_view identity) {
    return printable_text(identity.substr(0, identity.rfind('/')));  // npos: all of it
  }
};

// One property of photographs, for the text.
struct Property {
  std::string_view name;
  const Counts& counts;
  std::string_view unknown;  // the value of those of which it is not known
  size_t max_rows;

  bool is_unknown() const {
    return counts.empty() || (counts.size() == 1 && counts.begin()->first == unknown);
  }
};

boost::json::object to_json(const Counts& counts) {
  boost::json::object json;
  for (const auto& [key, count] : counts) json[key] = count;
  return json;
}

// The counts as a table, largest first; what does not fit is summed up.
std::string table(const std::string& heading, const Counts& counts, int64_t total, size_t max_rows) {
  std::vector<std::pair<std::string, int64_t>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Table lines({heading, "images", "share"});
  int64_t rest = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i >= max_rows && rows.size() > max_rows + 1)
      rest += rows[i].second;
    else
      lines.add(
          {rows[i].first, with_commas(rows[i].second),
           fmt::format("{:.1f}%", 100.0 * static_cast<double>(rows[i].second) / static_cast<double>(total))});
  }
  if (rest > 0)
    lines.add({fmt::format("({} more)", with_commas(static_cast<int64_t>(rows.size() - max_rows))),
               with_commas(rest),
               fmt::format("{:.1f}%", 100.0 * static_cast<double>(rest) / static_cast<double>(total))});
  return lines.text() + "\n";
}

class ScanCommand : public Command {
 public:
  ScanCommand() {
    positionals_ = {{"DATA", "a folder of photographs, a packed file, or several: 'packs/*.nwp'", &data_}};
    options_.flag("check", check_, "decode every picture and list the bad ones; takes long");
    options_.flag("json", json_, "print the result as JSON");
    declare_threads(options_, threads_);
    filters_.declare(options_);
  }

  std::string name() const override { return "scan"; }
  std::string summary() const override {
    return "what a data set holds: counts by city, sequence, night, view; bad files";
  }
  std::string example() const override { return "nowhere scan train_val --night no --max-per-sequence 50"; }

  int run() override {
    const auto source = open_source(data_, stop_requested);
    const Selection selection = select_with_progress(*source, filters_, threads_);
    std::vector<BadFile> bad;
    if (check_) bad = find_bad(*source, selection);
    if (stop_requested()) return stopped_exit_code();
    const Tally tally(source->photos(), selection);
    if (json_)
      print_json(*source, selection, tally, bad);
    else
      print_text(*source, selection, tally, bad);
    return 0;
  }

 private:
  std::vector<BadFile> find_bad(const Source& source, const Selection& selection) const {
    const Photos& photos = source.photos();
    std::vector<std::string> reasons(selection.photos.size());
    Progress line("checking", "images", static_cast<int64_t>(reasons.size()));
    const auto check = [&](size_t begin, size_t end) {
      Source::Scratch scratch;
      for (size_t i = begin; i < end && !stop_requested(); ++i)
        if (auto frame = source.frame(selection.photos[i], {}, scratch); !frame)
          reasons[i] = frame.error().reason;
    };
    constexpr size_t kChunk = 32;
    parallel_chunks(reasons.size(), kChunk, threads_, check, [&](int64_t done) { line.update(done); });
    std::vector<BadFile> bad;
    for (size_t i = 0; i < reasons.size(); ++i)
      if (!reasons[i].empty())
        bad.push_back({printable(photos.path(photos.all[selection.photos[i]])), reasons[i]});
    return bad;
  }

  void print_text(const Source& source, const Selection& selection, const Tally& tally,
                  const std::vector<BadFile>& bad) const {
    const auto total = static_cast<int64_t>(selection.photos.size());
    fmt::print("{} ({}): {}", source.name(), source.description(),
               counted(static_cast<int64_t>(source.photos().all.size()), "photograph"));
    if (!selection.steps.empty()) fmt::print(", {} after the filters", with_commas(total));
    if (!tally.sequences.empty())
      fmt::print(", {}", counted(static_cast<int64_t>(tally.sequences.size()), "sequence"));
    fmt::print("\n\n");
    if (!selection.steps.empty()) fmt::print("{}\n", filter_lines(selection));
    print_properties(tally, total);
    for (const Oddity& oddity : oddities(source.counts()))
      if (oddity.count > 0) fmt::print("{} {}\n", counted(oddity.count, oddity.noun), oddity.what);
    if (const std::string digest = source.digest(); !digest.empty()) fmt::print("digest {}\n", digest);
    if (check_)
      print_bad(bad, total);
    else
      fmt::print("no picture was opened; --check decodes them all\n");
  }

  // A table for what differs, one line for what is the same for all of them, and one for what nobody knows.
  static void print_properties(const Tally& tally, int64_t total) {
    const Property properties[] = {{"city", tally.cities, "none", 40},
                                   {"subset", tally.subsets, "none", 3},
                                   {"night", tally.night, "unknown", 3},
                                   {"view", tally.views, "unknown", 4},
                                   {"sequence", tally.sequences, "", 8}};
    std::vector<std::string> same, unknown;
    for (const Property& property : properties) {
      if (property.is_unknown())
        unknown.emplace_back(property.name);
      else if (property.counts.size() == 1)
        same.push_back(fmt::format("{} {}", property.name, property.counts.begin()->first));
      else
        fmt::print("{}", table(std::string(property.name), property.counts, total, property.max_rows));
    }
    if (tally.folders.size() > 1) fmt::print("{}", table("folder", tally.folders, total, 8));
    if (!same.empty()) fmt::print("all of them: {}\n", join(same, ", "));
    if (unknown.size() == std::size(properties))
      fmt::print(
          "without the tables of MSLS nothing is known about city, sequence, night or view, "
          "so there is no filtering by them\n");
    else if (!unknown.empty())
      fmt::print("not in the tables: {}\n", join(unknown, ", "));
  }

  static void print_bad(const std::vector<BadFile>& bad, int64_t total) {
    constexpr size_t kMaxBad = 20;
    for (size_t i = 0; i < std::min(kMaxBad, bad.size()); ++i)
      fmt::print("bad: {}: {}\n", bad[i].path, bad[i].reason);
    if (bad.size() > kMaxBad)
      fmt::print("bad: and {} more; --json lists all\n",
                 with_commas(static_cast<int64_t>(bad.size() - kMaxBad)));
    if (bad.empty())
      fmt::print("{} decoded, none is bad\n", counted(total, "picture"));
    else
      fmt::print("{} of {} bad\n", with_commas(static_cast<int64_t>(bad.size())), counted(total, "picture"));
  }

  struct Oddity {
    int64_t count;
    std::string_view noun, what;  // what is wrong with so many of them
  };

  static std::vector<Oddity> oddities(const ScanCounts& counts) {
    return {{counts.other_files, "other file", "ignored"},
            {counts.unreadable_folders, "folder", "that cannot be read"},
            {counts.repeated_folders, "folder", "reached again through a link, counted once"},
            {counts.missing_tables, "table",
             "missing or without a key (seq_info.csv, raw.csv, postprocessed.csv)"},
            {counts.broken_rows, "row", "of the tables with too few cells"},
            {counts.rows_without_photo, "row", "of the tables without a photograph"},
            {counts.photos_without_row, "photograph", "without a row in a table"}};
  }

  void print_json(const Source& source, const Selection& selection, const Tally& tally,
                  const std::vector<BadFile>& bad) const {
    const ScanCounts& counts = source.counts();
    boost::json::array filters, bad_files;
    for (const FilterStep& step : selection.steps)
      filters.push_back({{"flag", step.flag}, {"removed", step.removed}});
    for (const BadFile& file : bad) bad_files.push_back({{"path", file.path}, {"reason", file.reason}});
    boost::json::object json{{"source", source.name()},
                             {"kind", source.description()},
                             {"photographs", source.photos().all.size()},
                             {"selected", selection.photos.size()},
                             {"filters", filters},
                             {"cities", to_json(tally.cities)},
                             {"subsets", to_json(tally.subsets)},
                             {"night", to_json(tally.night)},
                             {"views", to_json(tally.views)},
                             {"sequences", to_json(tally.sequences)},
                             {"other_files", counts.other_files},
                             {"unreadable_folders", counts.unreadable_folders},
                             {"repeated_folders", counts.repeated_folders},
                             {"missing_tables", counts.missing_tables},
                             {"broken_rows", counts.broken_rows},
                             {"rows_without_photo", counts.rows_without_photo},
                             {"photos_without_row", counts.photos_without_row}};
    if (const std::string digest = source.digest(); !digest.empty()) json["digest"] = digest;
    if (check_) json["bad"] = bad_files;
    fmt::print("{}\n", boost::json::serialize(json));
  }

  std::string data_;
  bool check_ = false, json_ = false;
  int threads_ = 1;
  FilterConfig filters_;
};

}  // namespace

std::unique_ptr<Command> scan_command() {
  return std::make_unique<ScanCommand>();
}

}  // namespace nowhere
