#include <fmt/core.h>

#include <algorithm>

#include "cli/bench_animation.h"
#include "cli/bench_kernels.h"
#include "cli/bench_loader.h"
#include "cli/bench_price.h"
#include "cli/bench_scan.h"
#include "cli/bench_serve.h"
#include "cli/bench_steps.h"
#include "cli/commands.h"
#include "cli/loading.h"
#include "core/cpu.h"
#include "core/error.h"
#include "core/proc.h"
#include "core/text.h"
#include "eval/parzen_bench.h"

namespace nowhere {
namespace {

class Bench : public Command {
 public:
  Bench() {
    positionals_ = {
        {"WHAT", "all, loader, scan, step, kernels, serve, parzen (a likelihood) or animation (GIF and WebP)",
         &what_},
        {"DATA", "photographs (all, loader, scan), a run (serve), or a folder of frames (animation)", &data_,
         /*required=*/false}};
    options_.number("seconds", seconds_, 0.1, 3600, "how long to measure, after warming up");
    options_.text("preset", preset_, "NAME", "for step and kernels: the preset to train");
    declare_batches();
    options_.text("plot", plot_, "FILE.png", "for step: draw the speed over the batch size");
    options_.integer("clients", clients_, 1, 1024, "for serve: how many ask at once");
    price_.declare(options_);
    options_.flag("json", json_, "print the figures as JSON");
    loading_.declare(options_);
    options_.detail();
    options_.choice("pixels", loading_.loader.pixels,
                    {{"float", PixelType::kFloat}, {"byte", PixelType::kByte}},
                    "for loader: floats in [-1, 1], or bytes");
    options_.choice("kernels", kernels_, {{"auto", Kernels::kAuto}, {"torch", Kernels::kTorch}},
                    "for step: kernels of our own where they are faster, or LibTorch's alone");
    options_.choice("precision", precision_, precision_choices(),
                    "for step and kernels: of products; auto: the fastest that is safe on the device");
    options_.text("output", output_, "DIR", "for animation: a folder for the files; without: not written");
    options_.integer("photos", photos_, 1, int64_t{1} << 32,
                     "for scan, without DATA: the order of so many photographs that nobody has");
    options_.integer("ranks", ranks_, 1, 1'000'000, "for scan with --photos: on how many ranks");
  }

  std::string name() const override { return "bench"; }
  std::string summary() const override {
    return "how fast this machine is: loader, step, serve and others, and what that costs";
  }
  std::string example() const override { return "nowhere bench step --batch 16,32,64 --plot batches.png"; }

  int run() override {
    constexpr const char* kKnown[] = {"all",   "loader", "scan",    "step",
                                      "serve", "parzen", "kernels", "animation"};
    if (std::ranges::find(kKnown, what_) == std::end(kKnown))
      throw usage_error(
          fmt::format("there is no benchmark '{}'; give all, loader, scan, step, kernels, serve, parzen or "
                      "animation",
                      printable_text(what_)));
    hourly_ = price_.hourly();
    check_batches();
    check_data();
    if (what_ == "all") return all();
    if (what_ == "step") return step();
    if (what_ == "serve") return show(bench_serve(data_, clients_, loading_.loader.threads, seconds_));
    if (what_ == "kernels") return kernels();
    if (what_ == "parzen") return parzen();
    if (what_ == "animation") return print(bench_animation(data_, output_)), 0;
    if (what_ == "loader") return show(bench_loader(data_, loading_, seconds_));
    return scan();
  }

 private:
  void declare_batches() {
    const auto set = [this](const std::string& text) {
      std::vector<int> sizes;
      for (const std::string& word : split_list(text)) {
        const auto size = parse_integer(word);
        if (!size || *size < 1 || *size > 65536) return false;
        sizes.push_back(static_cast<int>(*size));
      }
      batches_ = sizes;
      return !sizes.empty();
    };
    options_.add({"batch", "N,...", "whole numbers from 1 to 65536 with commas between",
                  "samples in a batch; for step also several, to compare", set,
                  [this] { return boost::json::value_from(batches_); }});
  }

  void check_batches() {
    if (what_ != "step" && batches_.size() > 1)
      throw usage_error(fmt::format("bench {} takes one --batch; bench step compares several", what_));
    if (!plot_.empty() && (what_ != "step" || batches_.size() < 2))
      throw usage_error("--plot is for bench step with several batch sizes: --batch 16,32,64");
    if (!plot_.empty() && !plot_.ends_with(".png"))
      throw usage_error(fmt::format("--plot {}: give a name that ends in .png", printable_text(plot_)));
    loading_.loader.batch = batches_.front();
  }

  void check_data() const {
    const bool generated = what_ == "scan" && photos_ > 0;
    const bool wanted = what_ == "loader" || what_ == "animation" || (what_ == "scan" && !generated);
    if ((wanted && data_.empty()) || (generated && !data_.empty()))
      throw usage_error(fmt::format("bench {} needs DATA: a folder or packed files{}", what_,
                                    what_ == "scan" ? "; or --photos, and no DATA" : ""));
    if (!data_.empty() && (what_ == "step" || what_ == "kernels" || what_ == "parzen"))
      throw usage_error(fmt::format("bench {} takes no DATA; leave out {}", what_, printable_text(data_)));
  }

  template <class Figures>
  int show(const Figures& figures) const {
    json_ ? print(figures.to_json(hourly_)) : fmt::print("{}", figures.text(hourly_));
    return 0;
  }

  int all() {
    const LoaderBench loader =
        data_.empty() ? bench_loader_on_drawn(loading_, seconds_) : bench_loader(data_, loading_, seconds_);
    const StepsBench steps = measure_steps();
    const ServeBench serve = bench_serve("", clients_, loading_.loader.threads, seconds_);
    if (json_)
      print({{"cores", available_cores()},
             {"loader", loader.to_json(hourly_)},
             {"step", steps.to_json(hourly_)},
             {"serve", serve.to_json(hourly_)}});
    else
      fmt::print("{}",
                 throughput_table({loader.throughput(), steps.throughput(), serve.throughput()}, hourly_));
    return 0;
  }

  StepsBench measure_steps() const {
    return bench_steps(preset_, batches_, loading_.loader.threads, seconds_, {kernels_, precision_});
  }

  int step() const {
    const StepsBench steps = measure_steps();
    if (!plot_.empty()) steps.write_plot(plot_);
    return show(steps);
  }

  int kernels() const {
    const KernelFigures figures =
        bench_layers(preset_, loading_.loader.batch, loading_.loader.threads, precision_);
    json_ ? print(figures.to_json()) : fmt::print("{}", figures.text());
    return 0;
  }

  int scan() {
    if (photos_ > 0) {
      const OrderBench bench = bench_order(photos_, ranks_, loading_);
      json_ ? print(bench.to_json()) : fmt::print("{}", bench.text());
      return bench.disjoint ? 0 : static_cast<int>(Exit::kFailed);
    }
    const ScanBench bench = bench_scan(data_, loading_);
    json_ ? print(bench.to_json()) : fmt::print("{}", bench.text());
    return 0;
  }

  int parzen() {
    constexpr int64_t kCentres = 10'000, kPoints = 1'000;
    const ParzenBench bench =
        bench_parzen(kCentres, kPoints, loading_.loader.sample.size, loading_.loader.threads);
    print({{"seconds", bench.seconds}, {"mean", bench.mean}, {"peak_bytes", process_memory().peak}});
    return 0;
  }

  static void print(const boost::json::object& figures) {
    fmt::print("{}\n", boost::json::serialize(figures));
  }

  std::string what_, data_, output_, plot_, preset_ = "naive-64";
  std::vector<int> batches_ = {64};
  double seconds_ = 5;
  int clients_ = 16;
  int64_t photos_ = 0;
  int ranks_ = 1;
  bool json_ = false;
  Kernels kernels_ = Kernels::kAuto;
  Precision precision_ = Precision::kAuto;
  BenchPrice price_;
  HourlyPrice hourly_;
  LoadingOptions loading_;
};

}  // namespace

std::unique_ptr<Command> bench_command() {
  return std::make_unique<Bench>();
}

}  // namespace nowhere
