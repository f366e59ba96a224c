#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/loading.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "data/loader.h"
#include "image/encode.h"
#include "image/grid.h"

namespace nowhere {
namespace {

class Preview : public Command {
 public:
  Preview() {
    positionals_ = {{"DATA", "a folder of photographs or a packed file", &data_}};
    options_.text("output", output_, "FILE", "the sheet, .png, .jpg or .webp");
    options_.letter('o');
    loading_.declare(options_);
    filters_.declare(options_);
  }

  std::string name() const override { return "preview"; }
  std::string summary() const override {
    return "a contact sheet of one training batch: what the networks will see";
  }
  std::string example() const override { return "nowhere preview streets.nwp -o batch.png --batch 64"; }

  int run() override {
    check_image_ending(output_);
    const auto source = open_source(data_, stop_requested);
    const Selection selection = select_with_progress(*source, filters_, loading_.loader.threads);
    loading_.loader.pixels = PixelType::kByte;
    loading_.loader.epochs = 1;
    Loader loader(*source, loading_.sampler(*source, selection.photos), loading_.loader,
                  {loading_.seed, 0, 0});
    const auto batch = loader.next();
    if (stop_requested()) throw Stopped();
    const std::filesystem::path path = output_;
    if (path.has_parent_path()) make_directories(path.parent_path());
    write_image(path, sheet(*batch, loading_.loader.size));
    fmt::print("{}: {} of {} as {} px samples\n", printable(path), batch->count,
               counted(static_cast<int64_t>(selection.photos.size()), "photograph"), loading_.loader.size);
    if (const LoaderCounts counts = loader.counts(); counts.replaced > 0)
      fmt::print("{} {} unreadable and replaced, the first because: {}\n",
                 counted(static_cast<int64_t>(counts.replaced), "photograph"),
                 counts.replaced == 1 ? "was" : "were", counts.first_failure);
    return 0;
  }

 private:
  static Image sheet(const Batch& batch, int size) {
    std::vector<Image> samples(batch.count, Image(size, size));
    for (size_t i = 0; i < batch.count; ++i)
      std::memcpy(samples[i].pixels.data(), batch.bytes + i * samples[i].pixels.size(),
                  samples[i].pixels.size());
    const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(batch.count))));
    return make_grid(samples, columns, std::max(2, size / 32), 255);
  }

  std::string data_, output_ = "batch.png";
  LoadingOptions loading_;
  FilterConfig filters_;
};

}  // namespace

std::unique_ptr<Command> preview_command() {
  return std::make_unique<Preview>();
}

}  // namespace nowhere
