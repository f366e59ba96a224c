#include "report/report_files.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/json.h"
#include "core/test_folder.h"
#include "plot/plot.h"
#include "report/test_scores.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

TEST(ReportFiles, TheFolderHoldsThePageAndWhatItNames) {
  const TestFolder folder;
  const fs::path report = folder.path() / "run" / "report";
  const Figure figure{.title = "Samples", .caption = "", .bytes = {'f', 'o'}};
  write_report(report, full_scores(), {figure});
  const auto page = MappedFile::open(report / "index.html").value();
  EXPECT_NE(page.text().find("Samples"), std::string_view::npos);
  EXPECT_EQ(read_json_file(report / "scores.json").at("samples"), 10000);
  EXPECT_EQ(MappedFile::open(report / "pairs.png").value().text(), "foo");
  const bool drawn = fs::exists(report / "log_likelihood.png");
  EXPECT_EQ(drawn, gnuplot_version().has_value());
  EXPECT_EQ(drawn, page.text().find("Likelihood over the epochs") != std::string_view::npos);
}

TEST(ReportFiles, WithoutEpochsThereIsNoPlotOfThem) {
  const TestFolder folder;
  Scores scores = full_scores();
  scores.parzen->epochs.reset();
  write_report(folder.path(), scores, {});
  EXPECT_TRUE(fs::exists(folder.path() / "index.html"));
  EXPECT_FALSE(fs::exists(folder.path() / "log_likelihood.png"));
}

}  // namespace
}  // namespace nowhere
