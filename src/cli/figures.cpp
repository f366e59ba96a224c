#include <fmt/core.h>

#include "cli/commands.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "figures/redraw.h"

namespace nowhere {
namespace {

class Figures : public Command {
 public:
  Figures() { positionals_ = {{"RUN", "a run directory", &run_}}; }

  std::string name() const override { return "figures"; }
  std::string summary() const override { return "every figure of a run, drawn anew from its directory"; }
  std::string example() const override { return "nowhere figures runs/streets"; }

  int run() override {
    const DrawnFigures figures = redraw_figures(run_);
    for (const std::filesystem::path& file : figures.drawn) fmt::print("{}\n", printable(file));
    if (!figures.failed.empty())
      throw Error(fmt::format("not drawn, for the reasons above: {}", join(figures.failed, ", ")));
    if (figures.drawn.empty()) throw data_error(fmt::format("{} has nothing to draw", printable(run_)));
    return 0;
  }

 private:
  std::string run_;
};

}  // namespace

std::unique_ptr<Command> figures_command() {
  return std::make_unique<Figures>();
}

}  // namespace nowhere
