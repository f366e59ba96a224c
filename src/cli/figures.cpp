#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/open_run.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "figures/redraw.h"
#include "run/run_directory.h"
#include "s3/url.h"

namespace nowhere {
namespace {

class Figures : public Command {
 public:
  Figures() {
    positionals_ = {{"RUN", "a run directory, or s3://BUCKET/RUN", &run_}};
    options_.text("output", output_, "DIR",
                  "where the figures of a run in a bucket go, and what they are drawn from");
    options_.letter('o');
  }

  std::string name() const override { return "figures"; }
  std::string summary() const override { return "every figure of a run, drawn anew from its directory"; }
  std::string example() const override { return "nowhere figures runs/streets"; }

  int run() override {
    const bool in_bucket = is_s3_url(run_);
    if (in_bucket && output_.empty())
      throw usage_error(fmt::format(
          "figures are not drawn into a bucket; give -o DIR, a folder for those of {}", printable_run(run_)));
    if (!in_bucket && !output_.empty())
      throw usage_error("-o is for a run in a bucket; the figures of a run directory are drawn in it");
    const RunReader reader = open_run(run_);
    if (reader.lone_checkpoint())
      throw usage_error(
          fmt::format("{} is a file; figures are drawn of a run directory", printable_run(run_)));
    if (in_bucket) fetch_records(reader);
    const DrawnFigures figures = redraw_figures(reader, in_bucket ? output_ : run_);
    for (const std::filesystem::path& file : figures.drawn) fmt::print("{}\n", printable(file));
    if (!figures.failed.empty())
      throw Error(fmt::format("not drawn, for the reasons above: {}", join(figures.failed, ", ")));
    if (figures.drawn.empty()) throw data_error(fmt::format("{} has nothing to draw", printable_run(run_)));
    return 0;
  }

 private:
  // What curves are drawn from, as far as the bucket has it.
  void fetch_records(const RunReader& reader) const {
    reader.find();  // what is no run is said before a folder is made for it
    const RunDirectory folder(output_);
    make_directories(folder.path());
    for (const std::filesystem::path& file : {folder.stats(), folder.config()})
      if (const auto content = reader.store().read(file.filename().string()))
        write_file(file, content->bytes);
  }

  std::string run_, output_;
};

}  // namespace

std::unique_ptr<Command> figures_command() {
  return std::make_unique<Figures>();
}

}  // namespace nowhere
