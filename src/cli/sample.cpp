#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/generating.h"
#include "cli/open_run.h"
#include "core/cpu.h"
#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/text.h"
#include "image/encode.h"
#include "image/grid.h"
#include "model/picture_source.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxInGrid = 4096;
constexpr uint8_t kPaper = 255;

class Sample : public Command {
 public:
  Sample() {
    positionals_ = {
        {"RUN",
         "a run directory, a checkpoint (.pt), also of the reference, or s3://BUCKET/RUN; without: the "
         "model that comes with the program",
         &run_, /*required=*/false}};
    generating_.declare(options_, "0-15");
    options_.text("output", output_, "FILE", "one sheet of all: .png, .jpg or .webp");
    options_.letter('o');
    options_.text("each", each_, "DIR", "one file per seed in this folder: 7.png");
    options_.text("format", format_, "NAME", "of the files of --each: png, jpg or webp");
    options_.integer("columns", columns_, 0, 4096, "of the sheet; 0: about as many as rows");
    options_.integer("padding", padding_, 0, 256, "pixels between the pictures of the sheet");
  }

  std::string name() const override { return "sample"; }
  std::string summary() const override { return "pictures from seeds; a seed is always the same picture"; }
  std::string example() const override { return "nowhere sample runs/streets --seeds 0-15,40 -o grid.png"; }

  int run() override {
    if (output_.empty() && each_.empty())
      throw usage_error("give -o FILE for a sheet, --each DIR for files, or both");
    if (!output_.empty()) check_image_ending(output_);
    if (!each_.empty()) check_image_ending("x." + format_);
    const std::vector<uint64_t> seeds = generating_.seed_list();
    if (!output_.empty() && seeds.size() > kMaxInGrid)
      throw usage_error(fmt::format("a sheet holds at most {} pictures, not {}; --each DIR takes any number",
                                    with_commas(kMaxInGrid),
                                    with_commas(static_cast<int64_t>(seeds.size()))));
    if (run_.empty()) run_ = shipped_model();
    const RunReader reader = open_run(run_);
    PictureSource source(reader, reader.find(generating_.epoch.chosen()), generating_.threads);
    const std::vector<Image> shown = make(source, seeds);
    if (!output_.empty()) write_sheet(shown);
    report(source.facts(), seeds.size());
    return 0;
  }

 private:
  // In portions, so that any number fits in memory; gives what the sheet needs.
  std::vector<Image> make(PictureSource& source, const std::vector<uint64_t>& seeds) const {
    constexpr size_t kPortion = 256;
    if (!each_.empty()) make_directories(each_);
    Progress progress("making pictures", "pictures", static_cast<int64_t>(seeds.size()));
    std::vector<Image> shown;
    for (size_t begin = 0; begin < seeds.size(); begin += kPortion) {
      if (stop_requested()) throw Stopped();
      const std::span some = std::span(seeds).subspan(begin, std::min(kPortion, seeds.size() - begin));
      std::vector<Image> pictures = source.make_seeds(some, generating_.truncation);
      if (!each_.empty())
        parallel_for(some.size(), available_cores(), [&](size_t i) {
          write_image(fs::path(each_) / fmt::format("{}.{}", some[i], format_), pictures[i]);
        });
      if (!output_.empty())
        for (Image& picture : pictures) shown.push_back(std::move(picture));
      progress.update(static_cast<int64_t>(begin + some.size()));
    }
    return shown;
  }

  void write_sheet(const std::vector<Image>& pictures) const {
    const fs::path path = output_;
    if (path.has_parent_path()) make_directories(path.parent_path());
    const int square = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(pictures.size()))));
    const int columns = columns_ > 0 ? std::min(columns_, static_cast<int>(pictures.size())) : square;
    write_image(path, make_grid(pictures, columns, padding_, kPaper));
  }

  void report(const ModelFacts& facts, size_t count) const {
    std::string where;
    if (!output_.empty()) where = printable(output_);
    if (!each_.empty()) where += (where.empty() ? "" : " and ") + printable(fs::path(each_) / "");
    fmt::print("{}: {} {} of {} px from {} (epoch {})\n", where, with_commas(static_cast<int64_t>(count)),
               count == 1 ? "picture" : "pictures", facts.picture_size, facts.file, facts.epoch);
  }

  std::string run_, output_, each_, format_ = "png";
  GeneratingOptions generating_;
  int columns_ = 0, padding_ = 2;
};

}  // namespace

std::unique_ptr<Command> sample_command() {
  return std::make_unique<Sample>();
}

}  // namespace nowhere
