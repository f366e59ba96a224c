#include <fmt/core.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/open_run.h"
#include "core/error.h"
#include "core/file.h"
#include "exchange/import.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class Import : public Command {
 public:
  Import() {
    positionals_ = {
        {"FILE", "a checkpoint of the reference (.pt), also s3://BUCKET/RUN/checkpoint_16.pt", &file_}};
    options_.text("output", output_, "RUN", "the run directory to make");
    options_.letter('o');
  }

  std::string name() const override { return "import"; }
  std::string summary() const override { return "a run directory from a checkpoint of the reference"; }
  std::string example() const override { return "nowhere import checkpoint_16.pt -o runs/reference"; }

  int run() override {
    if (output_.empty()) throw usage_error("give -o RUN, the run directory to make");
    const RunReader reader = open_run(file_);
    if (!reader.lone_checkpoint())
      throw usage_error(fmt::format("{} is a folder; give one checkpoint (.pt)", reader.store().location()));
    const Imported imported = import_checkpoint(reader, output_);
    const fs::path run = fs::path(output_).lexically_normal();
    fmt::print("{}: a generator of {} px pictures after epoch {}\n", printable(run), imported.picture_size,
               imported.epoch);
    fmt::print("look:   nowhere sample {} -o grid.png\n", printable(run));
    if (imported.can_resume)
      fmt::print("go on:  nowhere train --root {} --name {} --resume --dataroot DATA --n-epoch {}\n",
                 printable(run.has_parent_path() ? run.parent_path() : "."), printable(run.filename()),
                 imported.epoch + 16);
    return 0;
  }

 private:
  std::string file_, output_;
};

}  // namespace

std::unique_ptr<Command> import_command() {
  return std::make_unique<Import>();
}

}  // namespace nowhere
