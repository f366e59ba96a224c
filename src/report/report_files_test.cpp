#include "report/report_files.h"

#include <gtest/gtest.h>

#include "core/error.h"
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

TEST(ReportFiles, TheLikelihoodsAreDrawnWhereTheReferenceHasThem) {
  if (!gnuplot_version()) GTEST_SKIP() << "gnuplot is not installed";
  const TestFolder folder;
  const fs::path figures = folder.path() / "run" / "figures";
  write_report(folder.path() / "elsewhere", full_scores(), {}, figures);
  ASSERT_TRUE(fs::exists(figures / "log_likelihood.png"));
  EXPECT_EQ(MappedFile::open(figures / "log_likelihood.png").value().text(),
            MappedFile::open(folder.path() / "elsewhere" / "log_likelihood.png").value().text());
  // A run that cannot be written to does not cost the report.
  write_file(folder.path() / "file", std::string_view("x"));
  write_report(folder.path() / "more", full_scores(), {}, folder.path() / "file" / "figures");
  EXPECT_TRUE(fs::exists(folder.path() / "more" / "index.html"));
}

TEST(ReportFiles, AFolderThatCannotBeWrittenIsRefusedBeforehand) {
  const TestFolder folder;
  check_report_folder(folder.path() / "a" / "b");
  EXPECT_TRUE(fs::is_empty(folder.path() / "a" / "b"));
  write_file(folder.path() / "file", std::string_view("x"));
  EXPECT_THROW(check_report_folder(folder.path() / "file" / "report"), Error);
  EXPECT_THROW(check_report_folder("/proc/self"), Error);  // not even for root
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
