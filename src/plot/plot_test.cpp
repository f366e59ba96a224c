#include "plot/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "image/decode.h"

namespace nowhere {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr uint8_t kBlue[] = {0x00, 0x72, 0xB2};

Image drawn(const std::vector<uint8_t>& png) {
  Image image;
  EXPECT_TRUE(Decoder().decode(png, {}, image));
  return image;
}

// In rows [from, to).
int count(const Image& image, const uint8_t (&colour)[3], int from, int to) {
  int pixels = 0;
  for (int y = from; y < to; ++y)
    for (int x = 0; x < image.width; ++x) pixels += std::equal(colour, colour + 3, image.row(y) + 3 * x);
  return pixels;
}

int count(const Image& image, const uint8_t (&colour)[3]) {
  return count(image, colour, 0, image.height);
}

Plot plot_of(std::vector<Series> series) {
  return {"Losses", "images seen", "loss", std::move(series)};
}

std::string message_of(const Plot& plot) {
  try {
    render_plot(plot);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A program named gnuplot that runs `script`, the only program that is found as long as this exists.
class FakeGnuplot {
 public:
  explicit FakeGnuplot(const std::string& script) : path_(std::getenv("PATH")) {
    if (!script.empty()) {
      const auto program = folder_.path() / "gnuplot";
      write_file(program, "#!/bin/sh\n" + script + "\n");
      std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    setenv("PATH", folder_.path().c_str(), 1);
  }
  ~FakeGnuplot() { setenv("PATH", path_.c_str(), 1); }

 private:
  TestFolder folder_;
  std::string path_;
};

TEST(Gnuplot, SaysItsVersionOrWhyItCannotDraw) {
  {
    const FakeGnuplot fake("echo '9.1 patchlevel 2'");
    EXPECT_EQ(gnuplot_version().value(), "9.1 patchlevel 2");
  }
  {
    const FakeGnuplot fake("echo 'line 1: unknown terminal type' >&2; exit 1");
    EXPECT_EQ(gnuplot_version().error().reason, "gnuplot failed: unknown terminal type");
  }
  const FakeGnuplot none("");
  EXPECT_EQ(gnuplot_version().error().reason, "gnuplot is not installed; apt install gnuplot-nox");
}

class PlotTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!gnuplot_version()) GTEST_SKIP() << "gnuplot is not installed";
  }
};

TEST_F(PlotTest, DrawsACurveOnWhite) {
  const Image image = drawn(render_plot(plot_of({{"D", {0, 1, 2}, {3, 1, 2}}})));
  EXPECT_EQ(image.width, 1000);
  EXPECT_EQ(image.height, 600);
  EXPECT_EQ(image.row(0)[0], 255);
  EXPECT_GT(count(image, kBlue), 500);
}

TEST_F(PlotTest, PanelsAreStacked) {
  Plot small = plot_of({{"D(x)", {0, 1}, {0.5, 0.6}}});
  small.width = 400;
  small.height = 200;
  const std::vector<Plot> plots = {plot_of({}), small};
  const Image image = drawn(render_plots(plots));
  EXPECT_EQ(image.width, 1000);
  EXPECT_EQ(image.height, 800);
  EXPECT_THROW(render_plots({}), Error);
}

TEST_F(PlotTest, AFilledCurveIsTintedBelow) {
  Plot plot = plot_of({{.name = "", .x = {0, 1}, .y = {5, 5}, .filled = true}});
  plot.y_range = {0, 10};
  plot.x_range = {0, 1};
  const Image image = drawn(render_plot(plot));
  const auto bluish = [&](int from, int to) {
    int pixels = 0;
    for (int y = from; y < to; ++y)
      for (int x = 0; x < image.width; ++x) pixels += image.row(y)[3 * x + 2] - image.row(y)[3 * x] > 20;
    return pixels;
  };
  EXPECT_GT(bluish(320, 500), 100'000) << "the lower half";
  EXPECT_EQ(bluish(0, 250), 0) << "the upper half";
}

TEST_F(PlotTest, TheRangeCanBeGiven) {
  Plot plot = plot_of({{"", {0, 1, 2}, {1, 1, 1}}});
  plot.x_range = {0, 100};
  plot.y_range = {0, 100};
  const Image image = drawn(render_plot(plot));
  EXPECT_EQ(count(image, kBlue, 0, 400), 0) << "the curve lies at the bottom";
  EXPECT_GT(count(image, kBlue, 400, 600), 10);
  plot.y_range = {1, 1};
  EXPECT_NE(message_of(plot).find("an axis from 1 to 1"), std::string::npos);
  plot.y_range = {0, kNan};
  EXPECT_NE(message_of(plot), "no error");
}

TEST_F(PlotTest, ACaptionStandsBelow) {
  Plot plot = plot_of({{"", {0, 1}, {1, 2}}});
  plot.caption = "62% waiting for the disk: pack the data";
  const Image one = drawn(render_plot(plot));
  EXPECT_EQ(one.height, 600 + 20 + 22);
  const uint8_t ink[] = {0x22, 0x22, 0x22};
  EXPECT_GT(count(one, ink, 600, one.height), 20);
  for (int i = 0; i < 6; ++i) plot.caption += ", which is a sentence that does not end for quite a while";
  const Image three = drawn(render_plot(plot));
  EXPECT_EQ(three.height, 600 + 20 + 3 * 22) << "it is broken into lines";
  plot.caption = "first\nsecond";
  EXPECT_EQ(drawn(render_plot(plot)).height, 600 + 20 + 2 * 22) << "paragraphs";
  plot.caption = std::string(100'000, 'x') + " " + std::string(100'000, ' ');
  EXPECT_LT(drawn(render_plot(plot)).height, 1000);
  const std::vector<Plot> plots = {plot, plot_of({})};  // the second has none
  EXPECT_GT(count(drawn(render_plots(plots)), ink), 20);
}

TEST_F(PlotTest, OnePointIsVisible) {
  EXPECT_GT(count(drawn(render_plot(plot_of({{"", {200'000}, {0}}}))), kBlue), 20);
}

TEST_F(PlotTest, ValuesThatCannotBeDrawnAreLeftOut) {
  const auto clean = render_plot(plot_of({{"D", {0, 1, 5}, {3, 1, 2}}}));
  const Series holes{"D", {0, 1, 2, kNan, 4, 4.5, 5}, {3, 1, kNan, 1, -kInfinite, 1e300, 2}};
  EXPECT_EQ(render_plot(plot_of({holes})), clean);
}

TEST_F(PlotTest, AnyValuesMakeAPicture) {
  for (const auto& values : std::vector<std::vector<double>>{{},
                                                             {0},
                                                             {kNan, kInfinite},
                                                             {5, 5},
                                                             {1, 1 + 1e-16},
                                                             {1e100, -1e100},
                                                             {1e-90, 2e-90},
                                                             {1e-200, 0},
                                                             {0, 1e-12, 1e12}}) {
    const Plot plot = plot_of({{"D", values, values, values}, {"G", values, values, {}, true}});
    EXPECT_EQ(drawn(render_plot(plot)).width, 1000);
  }
}

TEST_F(PlotTest, AMillionPointsKeepTheirSpike) {
  Series series{"D", std::vector<double>(1'000'000), std::vector<double>(1'000'000)};
  for (size_t i = 0; i < series.x.size(); ++i) {
    series.x[i] = static_cast<double>(i);
    series.y[i] = std::sin(static_cast<double>(i) * 0.01);
  }
  series.y[777'777] = 50;
  const Image image = drawn(render_plot(plot_of({series})));
  int rows = 0;  // with blue in them, of the 470 of the frame
  for (int y = 0; y < image.height; ++y) rows += count(image, kBlue, y, y + 1) > 0;
  EXPECT_GT(rows, 400);
  EXPECT_LT(count(image, kBlue), 30'000) << "the rest is a flat band";
}

TEST_F(PlotTest, TextIsNeverExecuted) {
  const TestFolder folder;
  const auto harm = folder.path() / "harm";
  const std::string touch = "touch " + harm.string();
  for (const std::string& text :
       {"'; system '" + touch + "'; '", "`" + touch + "`", "\n!" + touch + "\n",
        "'\nsystem '" + touch + "'\n", "\\'; system '" + touch + "'#", "\" . system(\"" + touch + "\") . \"",
        "EOD\nsystem '" + touch + "'\n", std::string("{/=20 a_b^c @x ~y} %s %d \\"),
        std::string("\xff\xfe\0 \x1b[31m", 9), std::string("街道 Straße"), std::string(5000, '\'')}) {
    Plot plot = plot_of({{text, {0, 1}, {1, 2}}, {text + "2", {0, 1}, {2, 1}}});
    plot.title = plot.x_label = plot.y_label = text;
    EXPECT_EQ(drawn(render_plot(plot)).width, 1000) << text;
    EXPECT_FALSE(std::filesystem::exists(harm)) << text;
  }
}

TEST_F(PlotTest, WritesAFile) {
  const TestFolder folder;
  const Plot plot = plot_of({{"D", {0, 1}, {1, 2}}});
  write_plot(folder.path() / "plot.png", plot);
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(read_file(folder.path() / "plot.png", bytes));
  EXPECT_EQ(bytes, render_plot(plot));
}

TEST_F(PlotTest, RefusesLengthsThatDifferAndImpossibleSizes) {
  EXPECT_NE(message_of(plot_of({{"D", {0, 1}, {1}}})).find("2 x, 1 y"), std::string::npos);
  EXPECT_NE(message_of(plot_of({{"D", {0, 1}, {1, 2}, {1}}})).find("1 error"), std::string::npos);
  Plot plot = plot_of({{"D", {0, 1}, {1, 2}}});
  EXPECT_EQ(message_of(plot), "no error");
  plot.height = 0;
  EXPECT_NE(message_of(plot).find("1000 x 0"), std::string::npos);
}

TEST(PlotProcess, SaysThatGnuplotIsMissing) {
  const FakeGnuplot none("");
  EXPECT_FALSE(gnuplot_version());
  EXPECT_EQ(message_of(plot_of({})), "gnuplot is not installed; apt install gnuplot-nox");
}

TEST(PlotProcess, PassesOnWhatGnuplotSays) {
  {
    const FakeGnuplot broken(
        "printf '\\ngnuplot> plot\\n  ^\\n  line 0: it is\\ta pity\\n\\nGood bye\\n' >&2; exit 1");
    EXPECT_FALSE(gnuplot_version());
    EXPECT_EQ(message_of(plot_of({})), "gnuplot failed: it is\\x09a pity");
  }
  {
    const FakeGnuplot silent("exit 3");
    EXPECT_EQ(message_of(plot_of({})), "gnuplot failed: no reason given");
  }
  {
    const FakeGnuplot killed("kill -9 $$");
    EXPECT_NE(message_of(plot_of({})).find("signal 9"), std::string::npos);
  }
  {
    const FakeGnuplot chatty("echo hello");
    EXPECT_EQ(message_of(plot_of({})), "gnuplot returned no picture");
  }
}

}  // namespace
}  // namespace nowhere
