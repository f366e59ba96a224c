#include "plot/plot.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "plot/gnuplot.h"
#include "plot/panel.h"
#include "plot/script.h"

namespace nowhere {

namespace {

bool is_png(std::span<const uint8_t> bytes) {
  constexpr std::array<uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  return bytes.size() > kSignature.size() && std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
}

}  // namespace

Result<std::string> gnuplot_version() {
  try {
    const auto answer = run_gnuplot(R"(set terminal pngcairo
set print '-'
print sprintf('%.1f patchlevel %s', GPVAL_VERSION, GPVAL_PATCHLEVEL)
)");
    const std::string_view text(reinterpret_cast<const char*>(answer.data()), answer.size());
    // A string could be a Failure as well.
    return {boost::system::in_place_value, printable_text(text.substr(0, text.find('\n')))};
  } catch (const Error& error) {
    return Failure{error.what()};
  }
}

std::vector<uint8_t> render_plot(const Plot& plot) {
  return render_plots({&plot, 1});
}

std::vector<uint8_t> render_plots(std::span<const Plot> plots) {
  if (plots.empty()) throw Error("no plot to draw");
  std::vector<Panel> panels;
  for (const Plot& plot : plots) panels.push_back(make_panel(plot));
  auto bytes = run_gnuplot(make_script(panels));
  if (!is_png(bytes)) throw Error("gnuplot returned no picture");
  return bytes;
}

void write_plot(const std::filesystem::path& path, const Plot& plot) {
  write_plots(path, {&plot, 1});
}

void write_plots(const std::filesystem::path& path, std::span<const Plot> plots) {
  write_file(path, render_plots(plots));
}

}  // namespace nowhere
