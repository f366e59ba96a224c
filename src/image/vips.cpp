#include "image/vips.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vips/vips8>

#include "image/limits.h"
#include "image/orientation.h"

namespace nowhere {
namespace {

using vips::VImage;

void ignore_log(const char*, GLogLevelFlags, const char*, void*) {}

// Starts the library at first use. Each of our threads handles a picture of its own, so vips needs only one
// thread; and a photograph is decoded once, so the operation cache would only waste memory.
void start_vips() {
  static const bool started = [] {
    if (vips_init("nowhere") != 0) throw Error(fmt::format("cannot start libvips: {}", vips_error_buffer()));
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, ignore_log,
                      nullptr);  // what matters comes back as an error
    return true;
  }();
  static_cast<void>(started);
}

// The library that finds a palette may have been built to use OpenMP. Several animations at once are faster
// with one thread each, and idle OpenMP threads spin. OpenMP may be missing, so its function is looked up by
// name.
void quantise_on_this_thread() {
  using SetThreads = void (*)(int);
  if (void* found = dlsym(RTLD_DEFAULT, "omp_set_num_threads"); found != nullptr)
    reinterpret_cast<SetThreads>(found)(1);
}

// vips gives its reasons in several lines; the last is the most specific, and a table has room for one.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (const size_t newline = text.rfind('\n'); newline != std::string::npos) text.erase(0, newline + 1);
  return text;
}

// vips has one error text for the whole process. Decoding takes this lock shared. To learn why a file failed,
// it is decoded again with the lock held exclusively, so that the text is about this file.
std::shared_mutex& error_text_lock() {
  static std::shared_mutex lock;
  return lock;
}

VImage open(std::span<const uint8_t> bytes, Format format) {
  // We choose the loader, so that a file cannot reach any other of vips' many loaders.
  vips::VSource source = vips::VSource::new_from_memory(bytes.data(), bytes.size());
  vips::VOption* options =
      VImage::option()->set("access", VIPS_ACCESS_SEQUENTIAL)->set("fail_on", VIPS_FAIL_ON_WARNING);
  switch (format) {
    case Format::kJpeg:
      return VImage::jpegload_source(source, options);
    case Format::kPng:
      return VImage::pngload_source(source, options);
    case Format::kTiff:
      return VImage::tiffload_source(source, options);
    case Format::kPpm:
      return VImage::ppmload_source(source, options);
    case Format::kWebp:
      return VImage::webpload_source(source, options);
    case Format::kUnknown:
      break;
  }
  throw vips::VError("unknown format");
}

VImage to_rgb(const VImage& loaded) {
  VImage image = loaded.colourspace(VIPS_INTERPRETATION_sRGB);
  if (image.has_alpha()) image = image.flatten(VImage::option()->set("background", std::vector<double>{255}));
  if (image.bands() > kChannels) image = image.extract_band(0, VImage::option()->set("n", kChannels));
  if (image.format() != VIPS_FORMAT_UCHAR) image = image.cast(VIPS_FORMAT_UCHAR);
  return image;
}

// The frames below each other, which is how vips represents an animation.
VImage stack(const std::vector<Image>& frames, std::vector<uint8_t>& pixels) {
  const Image& first = frames.front();
  pixels.clear();
  for (const Image& frame : frames) {
    if (frame.width != first.width || frame.height != first.height)
      throw Error("the frames of an animation differ in size");
    pixels.insert(pixels.end(), frame.pixels.begin(), frame.pixels.end());
  }
  return VImage::new_from_memory(pixels.data(), pixels.size(), first.width,
                                 first.height * static_cast<int>(frames.size()), kChannels, VIPS_FORMAT_UCHAR)
      .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
}

void describe_animation(VImage& image, int frame_height, size_t count, int frame_ms) {
  image.set("page-height", frame_height);
  image.set("delay", std::vector<int>(count, frame_ms));
  image.set("loop", 0);  // forever
}

// The frames of a sequence below each other as an image of vips that asks for each when its rows are wanted.
// vips runs one thread (see start_vips) and its GIF writer goes from top to bottom, so no frame is asked for
// twice. It has to outlive the image.
class Strip {
 public:
  explicit Strip(const FrameSequence& frames) : frames_(frames) {}
  // Whatever vips' threads did with the frames is over before they go.
  ~Strip() { const std::lock_guard lock(mutex_); }
  Strip(const Strip&) = delete;
  Strip& operator=(const Strip&) = delete;

  VImage image() {
    VipsImage* strip = vips_image_new();
    vips_image_init_fields(strip, frames_.width, frames_.height * frames_.count, kChannels, VIPS_FORMAT_UCHAR,
                           VIPS_CODING_NONE, VIPS_INTERPRETATION_sRGB, 1, 1);
    VImage owner(strip);
    if (vips_image_pipelinev(strip, VIPS_DEMAND_STYLE_THINSTRIP, nullptr) != 0 ||
        vips_image_generate(strip, nullptr, fill, nullptr, this, nullptr) != 0)
      throw vips::VError();
    return owner;
  }

  ImageView frame(int number) {
    const std::lock_guard lock(mutex_);
    return current(number);
  }

  // What a frame's function threw while vips was asking for it.
  void rethrow() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  ImageView current(int number) {
    if (number != number_) {
      view_ = frames_.frame(number);
      number_ = number;
      if (view_.width != frames_.width || view_.height != frames_.height)
        throw Error("the frames of an animation differ in size");
    }
    return view_;
  }

  // On a thread of vips.
  static int fill(VipsRegion* region, void*, void* self, void*, gboolean*) {
    auto* strip = static_cast<Strip*>(self);
    const std::lock_guard lock(strip->mutex_);
    try {
      strip->copy_rows(region);
      return 0;
    } catch (...) {  // C code called this
      strip->failure_ = std::current_exception();
      return -1;
    }
  }

  void copy_rows(VipsRegion* region) {
    const VipsRect& area = region->valid;
    for (int y = area.top; y < area.top + area.height; ++y) {
      const ImageView view = current(y / frames_.height);
      std::copy_n(view.row(y % frames_.height) + static_cast<size_t>(area.left) * kChannels,
                  static_cast<size_t>(area.width) * kChannels, VIPS_REGION_ADDR(region, area.left, y));
    }
  }

  const FrameSequence& frames_;
  std::mutex mutex_;  // guards what follows, and the frames' function
  ImageView view_;
  int number_ = -1;
  std::exception_ptr failure_;
};

// Some pixels of some frames in one picture: enough to know the colours, however long the animation is.
Image palette_sample(Strip& strip, const FrameSequence& frames) {
  constexpr int kMaxFrames = 16, kMaxPixels = 1 << 19;
  const int count = std::min(kMaxFrames, frames.count);
  int step = 2;
  while (static_cast<int64_t>(frames.width / step) * (frames.height / step) * count > kMaxPixels) ++step;
  const int width = std::max(1, frames.width / step), height = std::max(1, frames.height / step);
  Image sample(width, height * count);
  for (int i = 0; i < count; ++i) {
    const ImageView view = strip.frame(count == 1 ? 0 : i * (frames.count - 1) / (count - 1));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        std::copy_n(view.row(y * step) + static_cast<ptrdiff_t>(x) * step * kChannels, kChannels,
                    sample.row(i * height + y) + static_cast<ptrdiff_t>(x) * kChannels);
  }
  return sample;
}

std::vector<uint8_t> save(const VImage& image, const std::string& suffix) {
  void* data = nullptr;
  size_t size = 0;
  image.write_to_buffer(suffix.c_str(), &data, &size);
  const auto* first = static_cast<const uint8_t*>(data);
  std::vector<uint8_t> bytes(first, first + size);
  g_free(data);
  return bytes;
}

// The palette of a picture.
std::vector<int> palette_of(const Image& image) {
  std::vector<uint8_t> pixels;
  const std::vector<uint8_t> gif = save(stack({image}, pixels), ".gif[dither=0,effort=4]");
  const VImage loaded = VImage::gifload_source(vips::VSource::new_from_memory(gif.data(), gif.size()));
  return loaded.get_array_int("gif-palette");
}

[[noreturn]] void encoding_failed(const std::string& suffix) {
  const std::string reason = one_line(vips_error_buffer());
  vips_error_clear();
  throw Error(fmt::format("cannot encode a {} picture: {}", suffix.substr(0, suffix.find('[')), reason));
}

// Throws VError when vips fails.
Result<void> decode(std::span<const uint8_t> bytes, Format format, Image& image) {
  constexpr int kMaxBands = 8;
  const VImage loaded = open(bytes, format);
  if (auto fits = check_size(loaded.width(), loaded.height()); !fits) return fits.error();
  if (loaded.bands() > kMaxBands) return Failure{fmt::format("too many colour channels: {}", loaded.bands())};
  const VImage rgb = to_rgb(loaded);
  if (rgb.bands() != kChannels)
    return Failure{fmt::format("{} colour channels cannot be made RGB", rgb.bands())};
  // The file is read from top to bottom, which vips cannot turn: we do, once all of it is here.
  size_t size = 0;
  const std::unique_ptr<void, decltype(&g_free)> pixels(rgb.write_to_memory(&size), g_free);
  const ImageView stored{static_cast<const uint8_t*>(pixels.get()), rgb.width(), rgb.height(),
                         static_cast<size_t>(rgb.width()) * kChannels};
  turn_upright(stored, vips_image_get_orientation(loaded.get_image()), image);
  return {};
}

}  // namespace

Result<void> vips_decode(std::span<const uint8_t> bytes, Format format, Image& image) {
  start_vips();
  try {
    const std::shared_lock shared(error_text_lock());
    return decode(bytes, format, image);
  } catch (const vips::VError&) {
    // The reason is found below.
  }
  const std::unique_lock alone(error_text_lock());
  vips_error_clear();
  try {
    return decode(bytes, format, image);
  } catch (const vips::VError& error) {
    const std::string reason = one_line(error.what());
    vips_error_clear();
    return Failure{fmt::format("damaged picture: {}", reason.empty() ? "it cannot be decoded" : reason)};
  }
}

std::vector<uint8_t> vips_encode(const std::vector<Image>& frames, const std::string& suffix, int frame_ms) {
  start_vips();
  try {
    std::vector<uint8_t> pixels;
    VImage image = stack(frames, pixels);
    if (frames.size() > 1) describe_animation(image, frames[0].height, frames.size(), frame_ms);
    return save(image, suffix);
  } catch (const vips::VError&) {
    encoding_failed(suffix);
  }
}

std::vector<uint8_t> vips_encode_gif(const FrameSequence& frames, int frame_ms) {
  start_vips();
  quantise_on_this_thread();
  Strip strip(frames);
  try {
    VImage image = strip.image();
    image.set("gif-palette", palette_of(palette_sample(strip, frames)));
    describe_animation(image, frames.height, static_cast<size_t>(frames.count), frame_ms);
    return save(image, ".gif[reuse=true,dither=0.6,effort=4]");
  } catch (const vips::VError&) {
    strip.rethrow();
    encoding_failed(".gif");
  }
}

Image vips_text(const std::string& text, int height) {
  start_vips();
  const std::shared_lock lock(error_text_lock());
  try {
    // Rendered large and shrunk, because the size of a point in pango depends on the machine.
    VImage mask = VImage::text(text.c_str(), VImage::option()->set("font", "DejaVu Sans")->set("dpi", 300));
    mask = mask.resize(static_cast<double>(height) / mask.height());
    VImage ink = mask.linear(-0.8, 255).cast(VIPS_FORMAT_UCHAR);  // white to dark grey
    Image image(ink.width(), ink.height());
    size_t size = 0;
    const std::unique_ptr<void, decltype(&g_free)> grey(ink.write_to_memory(&size), g_free);
    const auto* values = static_cast<const uint8_t*>(grey.get());
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = values[i / kChannels];
    return image;
  } catch (const vips::VError& error) {
    throw Error(fmt::format("cannot draw text: {}", one_line(error.what())));
  }
}

std::string vips_version_text() {
  return vips_version_string();
}

bool vips_has_saver(const char* suffix) {
  start_vips();
  const bool found = vips_foreign_find_save_buffer(suffix) != nullptr;
  vips_error_clear();
  return found;
}

}  // namespace nowhere
