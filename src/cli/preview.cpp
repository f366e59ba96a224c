#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/loading.h"
#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "data/loader.h"
#include "data/sample.h"
#include "image/decode.h"
#include "image/encode.h"
#include "image/grid.h"
#include "image/label.h"
#include "image/resize.h"

namespace nowhere {
namespace {

class Preview : public Command {
 public:
  Preview() {
    positionals_ = {{"DATA", "a folder of photographs, or packed files", &data_, /*required=*/false}};
    options_.text("output", output_, "FILE", "the sheet, .png, .jpg or .webp");
    options_.letter('o');
    options_.text("variations", photo_, "PHOTO", "one photograph, and samples that the loader makes of it");
    loading_.declare_batch(options_);
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
    if (data_.empty() == photo_.empty())
      throw usage_error("give DATA for a batch of it, or --variations PHOTO for one photograph");
    return photo_.empty() ? batch() : variations();
  }

 private:
  int batch() {
    const auto source = open_source(data_, stop_requested);
    const Selection selection = select_with_progress(*source, filters_, loading_.loader.threads);
    loading_.loader.pixels = PixelType::kByte;
    loading_.loader.epochs = 1;
    Loader loader(*source, loading_.sampler(*source, selection.photos), loading_.loader,
                  {loading_.seed, 0, 0});
    const auto batch = loader.next();
    if (stop_requested()) throw Stopped();
    const int size = loading_.loader.sample.size;
    std::vector<Image> samples(batch->count, Image(size, size));
    for (size_t i = 0; i < batch->count; ++i)
      std::memcpy(samples[i].pixels.data(), batch->bytes + i * samples[i].pixels.size(),
                  samples[i].pixels.size());
    write(sheet(samples, size));
    fmt::print("{}: {} of {} as {} px samples\n", printable(output_), batch->count,
               counted(static_cast<int64_t>(selection.photos.size()), "photograph"), size);
    if (const LoaderCounts counts = loader.counts(); counts.replaced > 0)
      fmt::print("{} {} unreadable and replaced, the first because: {}\n",
                 counted(static_cast<int64_t>(counts.replaced), "photograph"),
                 counts.replaced == 1 ? "was" : "were", counts.first_failure);
    return 0;
  }

  int variations() {
    const Image photo = read_image(photo_);
    const int short_side = std::min(photo.width, photo.height), size = loading_.loader.sample.size;
    const NormalTable normal;
    SampleMaker maker(loading_.loader.sample, &normal);
    std::vector<Image> samples(count_of_variations(), Image(size, size));
    for (size_t i = 0; i < samples.size(); ++i)  // the crop and noise that this photograph gets in epoch i
      maker.bytes({photo.view(), short_side, 1}, SampleDraws(loading_.seed, i, 0), samples[i].pixels.data());
    const Image grid = sheet(samples, size);
    const Image shown =
        Resizer().resize(photo.view(), std::max(1, photo.width * grid.height / photo.height), grid.height);
    write(side_by_side({{"photograph", &shown}, {"samples of it", &grid}}));
    fmt::print("{}: {} and {} as {} px\n", printable(output_), printable(photo_),
               counted(static_cast<int64_t>(samples.size()), "sample"), size);
    return 0;
  }

  size_t count_of_variations() const {
    constexpr size_t kUsual = 16;
    const bool given =
        std::any_of(given_.begin(), given_.end(), [](const auto& option) { return option.first == "batch"; });
    return given ? static_cast<size_t>(loading_.loader.batch) : kUsual;
  }

  static Image sheet(const std::vector<Image>& samples, int size) {
    const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(samples.size()))));
    return make_grid(samples, columns, std::max(2, size / 32), 255);
  }

  void write(const Image& image) const {
    const std::filesystem::path path = output_;
    if (path.has_parent_path()) make_directories(path.parent_path());
    write_image(path, image);
  }

  std::string data_, photo_, output_ = "batch.png";
  LoadingOptions loading_;
  FilterConfig filters_;
};

}  // namespace

std::unique_ptr<Command> preview_command() {
  return std::make_unique<Preview>();
}

}  // namespace nowhere
