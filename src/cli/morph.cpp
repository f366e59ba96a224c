#include <fmt/core.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/generating.h"
#include "cli/open_run.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "image/encode.h"
#include "model/picture_source.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFrames = 4096;

class Morph : public Command {
 public:
  Morph() {
    positionals_ = {
        {"RUN",
         "a run directory, a checkpoint (.pt), also of the reference, or s3://BUCKET/RUN; without: the "
         "model that comes with the program",
         &run_, /*required=*/false}};
    generating_.declare(options_, "0,1,2");
    options_.text("output", output_, "FILE", "the animation: .gif or .webp, about half as large");
    options_.letter('o');
    options_.integer("frames", frames_, 2, 1024, "from one seed's picture to the next");
    options_.integer("frame-ms", frame_ms_, 10, 10000, "milliseconds that a frame is shown");
  }

  std::string name() const override { return "morph"; }
  std::string summary() const override { return "one street turning into the next, in a loop: GIF or WebP"; }
  std::string example() const override { return "nowhere morph runs/streets --seeds 3,7,12 -o morph.gif"; }

  int run() override {
    const fs::path path = output_;
    const std::string ending = lower(path.extension().string());
    if (ending != ".gif" && ending != ".webp")
      throw usage_error(
          fmt::format("{}: the ending says which format to write; give .gif or .webp", printable(path)));
    const std::vector<uint64_t> seeds = generating_.seed_list();
    if (seeds.size() < 2)
      throw usage_error("a morph goes from one picture to another: give at least two --seeds");
    if (seeds.size() * static_cast<size_t>(frames_) > kMaxFrames)
      throw usage_error(
          fmt::format("{} seeds with {} frames each are more than {} frames; give fewer of either",
                      seeds.size(), frames_, kMaxFrames));
    if (run_.empty()) run_ = shipped_model();
    const RunReader reader = open_run(run_);
    PictureSource source(reader, reader.find(generating_.epoch.chosen()), generating_.threads);
    std::vector<Latent> stops;
    for (uint64_t seed : seeds) stops.push_back(seed_latent(seed, source.facts().latent_size));
    std::vector<Latent> walk = closed_walk(stops, frames_);
    for (Latent& latent : walk) latent = truncated(std::move(latent), generating_.truncation);
    const std::vector<Image> frames = source.make(walk);
    if (path.has_parent_path()) make_directories(path.parent_path());
    write_file(path,
               ending == ".gif" ? encode_gif(frames, frame_ms_) : encode_webp_animation(frames, frame_ms_));
    fmt::print("{}: {} frames of {} px, {:.1f} s a round, from {} (epoch {})\n", printable(path),
               frames.size(), source.facts().picture_size,
               static_cast<double>(frames.size()) * frame_ms_ / 1000.0, source.facts().file,
               source.facts().epoch);
    return 0;
  }

 private:
  std::string run_, output_ = "morph.gif";
  GeneratingOptions generating_;
  int frames_ = 16, frame_ms_ = 120;
};

}  // namespace

std::unique_ptr<Command> morph_command() {
  return std::make_unique<Morph>();
}

}  // namespace nowhere
