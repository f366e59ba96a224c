#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/open_run.h"
#include "core/cpu.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/signals.h"
#include "core/text.h"
#include "eval/evaluation.h"
#include "report/report_files.h"
#include "report/scores_json.h"
#include "report/scores_text.h"
#include "run/run_directory.h"
#include "run/run_reader.h"
#include "s3/url.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class Evaluate : public Command {
 public:
  Evaluate() {
    positionals_ = {
        {"RUN", "a run directory, a checkpoint (.pt), also of the reference, or s3://BUCKET/RUN", &run_}};
    options_.text("dataroot", data_, "DATA", "photographs to judge by: a folder or packed files");
    options_.letter('d');
    options_.text("epochs", epochs_, "LIST", "compare saved epochs by likelihood: all, or 5,10,20");
    options_.flag("json", json_, "print the scores as JSON");
    options_.text("output", output_, "DIR",
                  "where the report goes; without: RUN/report, and needed for a run in a bucket");
    options_.letter('o');
    config_.declare(options_);
    filters_.declare(options_);
  }

  std::string name() const override { return "evaluate"; }
  std::string summary() const override {
    return "how good the pictures are, whether they are copies: scores and a report";
  }
  std::string example() const override { return "nowhere evaluate runs/streets --dataroot streets.nwp"; }

  int run() override {
    if (data_.empty()) throw usage_error("give --dataroot DATA, the photographs to judge by");
    if (config_.sigma_low > config_.sigma_high)
      throw usage_error("--sigma-low is above --sigma-high; give the smaller of the two first");
    const bool in_bucket = is_s3_url(run_);
    if (in_bucket && output_.empty())
      throw usage_error(
          fmt::format("a report is not written into a bucket; give -o DIR, a folder for that of {}",
                      printable_run(run_)));
    const RunReader run = open_run(run_);
    const CheckpointFile checkpoint = run.find();  // before the photographs are read: it may be missing
    const RunDirectory directory(in_bucket               ? fs::path(output_)
                                 : run.lone_checkpoint() ? fs::path(run_).parent_path()
                                                         : fs::path(run_));
    config_.report = output_.empty() ? directory.report() : fs::path(output_);
    config_.epochs = chosen_epochs(run);
    check_report_folder(config_.report);
    if (in_bucket)
      take_settings_of_run(run.config().value_or(boost::json::object()), run.store().location("config.json"));
    else if (fs::exists(directory.config()))
      take_settings_of_run(read_json_file(directory.config()), printable(directory.config()));
    const auto source = open_source(data_, stop_requested);
    const Selection selection =
        select_with_progress(*source, filters_, config_.threads > 0 ? config_.threads : available_cores());
    const TrainingData training = find_training_data(run, directory.path(), data_, *source);
    const Evaluation evaluation = evaluate(config_, run, checkpoint, *source, selection.photos, training);
    write_report(config_.report, evaluation.scores, evaluation.figures,
                 run.lone_checkpoint() || in_bucket ? fs::path() : directory.figures());
    if (json_)
      fmt::print("{}\n", pretty(scores_to_json(evaluation.scores)));
    else
      fmt::print("{}\nreport: {}\n", scores_text(evaluation.scores),
                 printable(config_.report / "index.html"));
    return 0;
  }

 private:
  std::vector<CheckpointFile> chosen_epochs(const RunReader& run) const {
    if (epochs_.empty()) return {};
    if (run.lone_checkpoint())
      throw usage_error(fmt::format(
          "--epochs compares the checkpoints of a run directory; {} is one checkpoint", printable_run(run_)));
    if (epochs_ == "all") return run.epochs();
    std::vector<CheckpointFile> wanted;
    for (const std::string& word : split_list(epochs_)) {
      const auto number = parse_integer(word);
      if (!number || *number < 1)
        throw usage_error(
            fmt::format("--epochs {}: give all, or numbers such as 5,10,20", printable_text(epochs_)));
      wanted.push_back(run.find(static_cast<uint64_t>(*number)));
    }
    std::ranges::sort(wanted, {}, &CheckpointFile::epoch);
    return wanted;
  }

  // The photographs are to be cut as training cut them; flags win.
  void take_settings_of_run(const boost::json::object& saved, const std::string& where) {
    Options cut;
    config_.augment.declare(cut);
    boost::json::object wanted;
    for (const auto& [key, standard] : cut.to_json())
      if (const auto* value = saved.if_contains(key)) wanted[key] = *value;
    cut.from_json(wanted, where);
    options_.assign(given_);
  }

  std::string run_, data_, epochs_, output_;
  bool json_ = false;
  EvaluationConfig config_;
  FilterConfig filters_;
};

}  // namespace

std::unique_ptr<Command> evaluate_command() {
  return std::make_unique<Evaluate>();
}

}  // namespace nowhere
