// SPDX-License-Identifier: Apache-2.0
// grader report: pages of a whole class from a results folder, and nothing else left there.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "common/base/error.h"
#include "common/harness/page_parts.h"
#include "grader/commands.h"
#include "grader/pages.h"
#include "tests/grader/temporary.h"
#include "tests/page/browser.h"
#include "tests/page/samples.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

void add(const std::string& folder, Graded g) {
  Store store(folder);
  g.source = "// no name of mine\n";
  store.add(&g, {}, {});
}

CommandOptions report_of(const std::string& results) {
  CommandOptions options;
  options.session.homework = "hw02";
  options.results = results;
  return options;
}

TEST(Report, APageForTheClassAndOneForEach) {
  TemporaryFolder t;
  for (const char* name : {"Ada", "Bob", "gone"}) {
    Graded g = sample_grading(name, 4);
    g.submission = name;
    add(t.path("results"), g);
  }
  Store(t.path("results")).set_members("hw02", {{"Ada", "Ada"}, {"Bob", "Bob"}});
  EXPECT_EQ(report_command(report_of(t.path("results"))), kExitGood);
  const std::string report = t.path("results/report");
  EXPECT_EQ(files_in(report), (std::vector<std::string>{page_file("Ada", "Ada"),
                                                        page_file("Bob", "Bob"), "index.html"}));
  EXPECT_NE(text_of(report + "/index.html").find(page_file("Bob", "Bob")), std::string::npos);
  EXPECT_NE(text_of(report + "/index.html").find("\"absent\":1"), std::string::npos);
  struct stat info {};
  ASSERT_EQ(stat((report + "/index.html").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 077, 0u) << "others can read points";
  // Once more, without what is not there any more.
  t.write("results/report/old.html", "of somebody else");
  EXPECT_EQ(report_command(report_of(t.path("results"))), kExitGood);
  EXPECT_EQ(files_in(report).size(), 3u);
  EXPECT_EQ(files_in(t.path("results")),
            (std::vector<std::string>{"lock", "report", "results.db"}));
}

TEST(Report, TheClassLeadsToEachAndBack) {
  LOCKSTEP_NEEDS_BROWSER();
  TemporaryFolder t;
  add(t.path("results"), sample_grading("../x#y?z=%41.cu", 4));
  add(t.path("results"), sample_grading(kHostile, 10));
  report_command(report_of(t.path("results")));
  const Browsed got = browse(t.path(), {{{"open", t.path("results/report/index.html")}},
                                        {{"follow", ".class tbody tr:nth-child(1) a"}},
                                        {{"eval", "data.points"}},
                                        {{"follow", "header a"}},
                                        {{"follow", ".class tbody tr:nth-child(2) a"}},
                                        {{"eval", "data.points"}}});
  EXPECT_EQ(got.console, nlohmann::json::array());
  ASSERT_EQ(got.values.size(), 2u);
  EXPECT_EQ(got.values[0].get<int>() + got.values[1].get<int>(), 140);
}

// A link in the place of the folder is replaced, and what it leads to is left alone.
TEST(Report, FollowsNoLink) {
  TemporaryFolder t;
  add(t.path("results"), sample_grading("Ada", 4));
  t.write("elsewhere/index.html", "mine");
  for (const char* name : {"report", "report.new", "report.old"})
    fs::create_directory_symlink(t.path("elsewhere"), t.path("results/") + name);
  EXPECT_EQ(report_command(report_of(t.path("results"))), kExitGood);
  EXPECT_EQ(files_in(t.path("elsewhere")), (std::vector<std::string>{"index.html"}));
  EXPECT_EQ(text_of(t.path("elsewhere/index.html")), "mine");
  EXPECT_FALSE(fs::is_symlink(t.path("results/report")));
  EXPECT_EQ(files_in(t.path("results/report")).size(), 2u);
}

TEST(Report, PseudonymsLeaveNoNameInAnyPage) {
  TemporaryFolder t;
  for (const char* name : {"Adalovelace.cu", "Bobbymcgee.cu"}) {
    Graded g = sample_grading(name, 4);
    g.submission = std::string(name).substr(0, 5);
    g.path = "/class/" + std::string(name);
    add(t.path("results"), g);
  }
  Graded broken = sample_grading("Zoezimmer", 0);
  broken.verdict.kind = VerdictKind::kInfraError;
  broken.verdict.message = broken.verdict.reason = "/class/Zoezimmer: cannot be read";
  add(t.path("results"), broken);
  CommandOptions options = report_of(t.path("results"));
  options.pseudonyms = true;
  EXPECT_EQ(report_command(options), kExitGood);
  const std::vector<std::string> files = files_in(t.path("results/report"));
  ASSERT_EQ(files.size(), 4u);
  for (const std::string& file : files) {
    EXPECT_TRUE(file == "index.html" || file.rfind("student-", 0) == 0) << file;
    const std::string text = text_of(t.path("results/report/") + file);
    for (const char* name : {"Adalo", "Bobby", "Zoezi"})
      EXPECT_EQ(text.find(name), std::string::npos) << file << " names " << name;
  }
  EXPECT_EQ(report_command(options), kExitGood);
  EXPECT_EQ(files_in(t.path("results/report")), files) << "they are stable";
}

TEST(Report, SaysWhatIsMissing) {
  TemporaryFolder t;
  const auto message = [](const CommandOptions& options) -> std::string {
    try {
      report_command(options);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message(report_of(t.path("none"))).find("there are no results in it"), std::string::npos);
  EXPECT_FALSE(fs::exists(t.path("none")));
  Graded g = sample_grading("Ada", 4);
  add(t.path("results"), g);
  CommandOptions other = report_of(t.path("results"));
  other.session.homework = "hw01";
  EXPECT_NE(message(other).find("has no gradings of hw01"), std::string::npos) << message(other);
  g.backend = "gpu";
  add(t.path("results"), g);
  EXPECT_NE(message(report_of(t.path("results"))).find("say which with --backend"),
            std::string::npos);
  CommandOptions chosen = report_of(t.path("results"));
  chosen.session.backend = "gpu";
  EXPECT_EQ(message(chosen), "");
}

}  // namespace
}  // namespace lockstep::grader
