// SPDX-License-Identifier: Apache-2.0
// Every export is what its platform reads: the rules are in check_exports.py, which reads it with
// parsers that are not ours. No grade is ever made of what was not measured.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/export/files.h"
#include "grader/export/format.h"
#include "grader/export/write.h"
#include "grader/file_names.h"
#include "grader/pseudonyms.h"
#include "runner/process.h"
#include "tests/grader/export_class.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

class Export : public testing::Test {
 protected:
  void SetUp() override {
    settings.assignment = "hw02 (77)";
    settings.environment = {{"CLASSROOM", "gpu"},
                            {"SUBMISSION_TAG", "submit/2026-1"},
                            {"OWNER", "ada"},
                            {"COMMIT_URL", "https://x/commit/1"},
                            {"RELEASE_URL", "https://x/release/1"},
                            {"REVIEW_URL", "https://x/review/1"},
                            {"DATETIME", "2026-11-20T12:00:00Z"}};
  }
  // Names of platforms' own for all but one.
  Sheet sheet_of(std::vector<Graded> all, const Rubric& rubric = class_rubric()) {
    Sheet sheet = make_sheet(rubric, all, {});
    for (size_t i = 0; i + 2 < sheet.rows.size(); ++i) {
      sheet.rows[i].student.canvas = std::to_string(500 + i);
      sheet.rows[i].student.email = "s" + std::to_string(i) + "@x.edu";
    }
    sheet.rows.back().student.canvas = "=1";
    sheet.rows.back().student.name = printable(kHostile);
    return sheet;
  }
  std::string write(const Format& format, const Sheet& sheet) {
    const std::string path = t.path(format.name);
    const Exported exported = format.make(sheet, settings);
    if (format.for_each_student)
      write_folder(path, exported.files);
    else
      write_export(path, exported.files.at(0).contents);
    return path;
  }
  void expect(const Sheet& sheet) {
    nlohmann::json students = nlohmann::json::object();
    for (const SheetRow& row : sheet.rows) {
      nlohmann::json one = {
          {"file", row.file},
          {"cell", row.name},
          {"infra", row.kind == VerdictKind::kInfraError},
          {"late", row.late && row.late->keeps < 1},
          {"ids", {{"canvas", row.student.canvas}, {"email", row.student.email}}}};
      if (row.name.starts_with("=")) one["cell"] = "'" + row.name;
      if (row.student.canvas == "=1") one["ids"]["canvas"] = "'=1";
      one["points"] = row.points ? nlohmann::json(*row.points) : nlohmann::json();
      students[row.name] = one;
    }
    t.write("expected.json",
            nlohmann::json({{"max", sheet.max_points}, {"students", students}}).dump());
  }
  // What the platform would object to; "": nothing.
  std::string objection(const std::string& format, const std::string& path) {
    ProcessLimits limits;
    const ProcessResult result = run_process({"/usr/bin/python3", "tests/grader/check_exports.py",
                                              format, path, t.path("expected.json")},
                                             {"PATH=/usr/bin", "LC_ALL=C.UTF-8"}, limits);
    if (result.good()) return {};
    return "objects: " + result.out + result.err;
  }

  TemporaryFolder t;
  FormatSettings settings;
};

bool has_python() { return fs::exists("/usr/bin/python3"); }

const SheetRow& row_of(const Sheet& sheet, const std::string& name) {
  for (const SheetRow& row : sheet.rows)
    if (row.name == name) return row;
  throw std::runtime_error(name);
}

TEST_F(Export, HoldsToTheRulesOfEveryPlatform) {
  if (!has_python()) GTEST_SKIP() << "no python3";
  const Sheet sheet = sheet_of(export_class());
  expect(sheet);
  for (const Format& format : all_formats())
    EXPECT_EQ(objection(format.name, write(format, sheet)), "") << format.name;
}

TEST_F(Export, HoldsToThemWhereALateSubmissionLosesPoints) {
  if (!has_python()) GTEST_SKIP() << "no python3";
  Rubric rubric = class_rubric();
  rubric.late = LatePolicy{*parse_time("2026-11-20T12:00:00Z"), 10, 3, 0};
  std::vector<Graded> all = export_class();
  for (size_t i = 0; i < all.size(); ++i)
    all[i].submitted = {utc_text(rubric.late->due + int64_t(i) * 43200), "gradescope", ""};
  const Sheet sheet = sheet_of(all, rubric);
  EXPECT_EQ(row_of(sheet, "mary").points, 100.0) << "in time to the second";
  EXPECT_DOUBLE_EQ(*row_of(sheet, "dennis").points, 0.9 * *row_of(sheet, "dennis").earned);
  EXPECT_EQ(row_of(sheet, "Ada").points, 0.0) << "five days";
  EXPECT_FALSE(row_of(sheet, "linus").points.has_value());
  expect(sheet);
  for (const Format& format : all_formats())
    EXPECT_EQ(objection(format.name, write(format, sheet)), "") << format.name;
  EXPECT_NE(row_of(sheet, "dennis")
                .feedback.find("Late: 1 day late (2026-11-21T00:00:00Z): 10% "
                               "off; 57.5 points become 51.75"),
            std::string::npos)
      << row_of(sheet, "dennis").feedback;
}

// The rules can tell: what is broken in one place is refused.
TEST_F(Export, IsRefusedWhereItBreaksARule) {
  if (!has_python()) GTEST_SKIP() << "no python3";
  const Sheet sheet = sheet_of(export_class());
  expect(sheet);
  struct Break {
    const char *format, *file, *from, *to;
  };
  const std::vector<Break> breaks = {
      {"gradescope", "/mary/results.json", "\"score\": 100.0", "\"score\": \"100\""},
      {"gradescope", "/mary/results.json", "\"max_score\": 40.0", "\"max_score\": 41.0"},
      {"gradescope", "/mary/results.json", "\"passed\"", "\"pass\""},
      {"gradescope", "/mary/results.json", "\"after_published\"", "\"later\""},
      {"autolab", "/mary/output.txt", "{\"scores\"", "{\"a\":\"x1:y\",\"scores\""},
      {"autolab", "/mary/output.txt", "\"hw02\":100", "\"hw02\":10"},
      {"prairielearn", "/mary/results.json", "\"score\": 1.0", "\"score\": 1.5"},
      {"prairielearn", "/linus/results.json", "false", "true"},
      {"classroom50", "/mary/result.json", "\"score\": 4000", "\"score\": 4000.5"},
      {"classroom50", "/nearly/result.json", "\"score\": 3999", "\"score\": 4000"},
      {"classroom50", "/mary/result.json", "\"owner\"", "\"usernames\""},
      {"github", "/mary/result.txt", "e", ":"},
      {"check50", "/grace/check50.json", "\"passed\": null", "\"passed\": false"},
      {"check50", "/linus/check50.json", "\"error\"", "\"results\""},
      {"junit", "", "<failure", "<error"},
      {"junit", "", "&lt;script", "<script"},
      {"csv", "", "\"'=cmd", "\"=cmd"},
      {"csv", "", "\"linus\",\"\",\"s6@x.edu\",\"\"", "\"linus\",\"\",\"s6@x.edu\",\"0\""},
      {"canvas", "", "Points Possible", "Points"},
      {"canvas", "", "\"100\"\r\n\"dennis\"", "\"99\"\r\n\"dennis\""},
      {"moodle", "", "useremail", "email"},
      {"json", "", "\"points\": null", "\"points\": 0"}};
  for (const Break& one : breaks) {
    const std::string path = write(find_format(one.format), sheet) + one.file;
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const size_t at = text.find(one.from);
    ASSERT_NE(at, std::string::npos) << one.format << ": " << one.from;
    text.replace(at, std::string(one.from).size(), one.to);
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_NE(objection(one.format, t.path(one.format)).find("objects: " + std::string(one.format)),
              std::string::npos)
        << one.format << ": " << one.from << " -> " << one.to;
  }
}

TEST_F(Export, GivesNoPointsToWhatWasNotDecided) {
  const Sheet sheet = sheet_of(export_class());
  for (const char* name : {"linus", "grace", "alan"}) {
    EXPECT_FALSE(row_of(sheet, name).points.has_value()) << name;
    EXPECT_NE(row_of(sheet, name).why_no_points, "") << name;
  }
  EXPECT_EQ(row_of(sheet, "hedy").points, 0.0) << "a student's own error counts";
  EXPECT_EQ(row_of(sheet, "Ada").points, 90.0) << "nothing hangs on what was not measured";
  for (const Format& format : all_formats()) {
    const Exported exported = format.make(sheet, settings);
    const std::string name = format.name;
    const bool says_so = name == "prairielearn" || name == "github" || name == "check50";
    const bool is_there =
        std::any_of(exported.files.begin(), exported.files.end(),
                    [](const ExportFile& file) { return file.path.starts_with("linus/"); });
    EXPECT_EQ(is_there, says_so) << name;
  }
}

TEST_F(Export, TellsNothingOfWhatAHiddenCheckFound) {
  std::vector<Graded> all = export_class();
  for (Graded& g : all)
    for (CheckOutcome& c : g.verdict.checks) {
      if (!c.hidden) continue;
      c.title = c.message = c.hint = c.reproduce = "CANARY";
      c.quoted = Quoted("CANARY");
      c.costs = {{"CANARY", Quoted("CANARY")}};
    }
  const Sheet sheet = sheet_of(all);
  for (const Format& format : all_formats()) {
    if (std::string(format.name) == "json") continue;  // the instructor's
    for (const ExportFile& file : format.make(sheet, settings).files)
      EXPECT_EQ(file.contents.find("CANARY"), std::string::npos) << format.name << " " << file.path;
  }
}

TEST_F(Export, UnderPseudonymsHasNoNames) {
  std::vector<Graded> all = export_class();
  all.pop_back();
  for (Graded& g : all) {
    g.submission = "NAME" + g.submission;
    g.identity = "NAME" + g.identity;
    g.submitted.commit = "NAME";
    if (g.verdict.kind == VerdictKind::kInfraError) g.verdict.message = g.verdict.reason = "NAME";
  }
  SheetOptions options;
  options.pseudonym_key = std::string(64, '1');
  const Sheet sheet = make_sheet(class_rubric(), all, options);
  for (const Format& format : all_formats()) {
    if (format.needs_identity) continue;
    const Exported exported = format.make(sheet, settings);
    for (const ExportFile& file : exported.files) {
      EXPECT_EQ((file.path + file.contents).find("NAME"), std::string::npos) << format.name;
      EXPECT_EQ((file.path + file.contents).find("4e414d45"), std::string::npos) << format.name;
    }
    for (const LeftOut& one : exported.left_out)
      EXPECT_TRUE(one.name.starts_with("student-")) << one.name;
  }
}

TEST_F(Export, GivesEachAFileOfItsOwn) {
  std::vector<Graded> all;
  const std::vector<std::string> names = {"ada",
                                          "Ada",
                                          "a/b",
                                          "a_b",
                                          "..",
                                          ".",
                                          "-x",
                                          "s_ada",
                                          std::string(300, 'x'),
                                          std::string(300, 'x') + "y",
                                          "\xc3\xa9"};
  for (const std::string& name : names) {
    all.push_back(export_class()[0]);
    all.back().submission = all.back().identity = name;
  }
  std::set<std::string> files;
  for (const SheetRow& row : make_sheet(class_rubric(), all, {}).rows) {
    EXPECT_EQ(row.file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-"),
              std::string::npos);
    EXPECT_TRUE(!row.file.empty() && row.file[0] != '-') << row.file;
    std::string lower;
    for (const char c : row.file) lower += static_cast<char>(std::tolower(c));
    EXPECT_TRUE(files.insert(lower).second) << row.file;
  }
  EXPECT_EQ(files.size(), names.size());
  EXPECT_EQ(make_sheet(class_rubric(), {all[3]}, {}).rows[0].file, "a_b");
}

std::vector<Graded> class_of(const std::vector<std::string>& names) {
  std::vector<Graded> all;
  for (const std::string& name : names) {
    all.push_back(export_class()[0]);
    all.back().submission = all.back().identity = name;
  }
  return all;
}

// Windows opens a device by these, with whatever follows a dot, and takes capitals for small ones.
TEST_F(Export, GivesNobodyANameThatSomeMachineTakesForAnothersOrADevices) {
  const std::vector<std::string> devices = {"con", "CON", "nul", "Aux", "prn", "com1", "LPT9"};
  std::vector<std::string> names = devices;
  names.insert(names.end(), {"console", "com10", "Eve", "eve", "EVE"});
  // What another's would be called, in capitals.
  const std::string con = make_sheet(class_rubric(), class_of({"con"}), {}).rows[0].file;
  EXPECT_TRUE(con.starts_with("s_con_")) << con;
  names.push_back("S" + con.substr(1));
  const Sheet sheet = make_sheet(class_rubric(), class_of(names), {});
  std::set<std::string> files;
  for (const SheetRow& row : sheet.rows) {
    std::string lower;
    for (const char c : row.file) lower += static_cast<char>(std::tolower(c));
    EXPECT_TRUE(files.insert(lower).second) << row.file;
    EXPECT_EQ(problem_of_name(row.file + "/results.json"), "") << row.name;
    EXPECT_EQ(row.graded.identity, row.name) << "whose it is stays as it was";
  }
  EXPECT_EQ(row_of(sheet, "console").file, "console");
  EXPECT_EQ(row_of(sheet, "com10").file, "com10");
  const Exported exported = find_format("gradescope").make(sheet, settings);
  EXPECT_EQ(exported.files.size(), names.size());
  write_folder(t.path("out"), exported.files);
  for (const std::string& device : devices) EXPECT_FALSE(fs::exists(t.path("out/" + device)));
}

TEST_F(Export, ReplacesNothingButAnExport) {
  const std::vector<ExportFile> files = {{"ada/results.json", "1\n"}};
  t.write("mine/thesis.tex", "years of work");
  EXPECT_THROW(write_folder(t.path("mine"), files), Error);
  EXPECT_TRUE(fs::exists(t.path("mine/thesis.tex")));
  fs::create_directory(t.path("elsewhere"));
  fs::create_directory_symlink(t.path("elsewhere"), t.path("link"));
  EXPECT_THROW(write_folder(t.path("link"), files), Error);
  fs::create_directory(t.path("empty"));
  write_folder(t.path("empty"), files);
  write_folder(t.path("new/"), files);
  write_folder(t.path("new"), {{"bob/results.json", "2\n"}});
  EXPECT_FALSE(fs::exists(t.path("new/ada")));
  EXPECT_TRUE(fs::exists(t.path("new/bob/results.json")));
  EXPECT_EQ(fs::status(t.path("new/bob/results.json")).permissions(), fs::perms(0600));
  write_export(t.path("file"), "1");
  write_export(t.path("file"), "2");
  EXPECT_EQ(fs::status(t.path("file")).permissions(), fs::perms(0600));
  EXPECT_EQ(std::distance(fs::directory_iterator(t.path()), fs::directory_iterator()), 6);
  // As /dev/stdout is.
  EXPECT_THROW(write_export(t.path("link"), "1"), Error);
  EXPECT_THROW(write_export(t.path("new"), "1"), Error);
  EXPECT_TRUE(fs::is_symlink(t.path("link")));
}

TEST_F(Export, OfThreeHundredStudentsTakesNoTime) {
  // Of a processor: others may be at work here.
  const std::clock_t start = std::clock();
  const Sheet sheet = make_sheet(class_rubric(), large_class(300), {});
  size_t bytes = 0;
  for (const Format& format : all_formats()) {
    const Exported exported = format.make(sheet, settings);
    write(format, sheet);
    for (const ExportFile& file : exported.files) bytes += file.contents.size();
  }
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(bytes, 1000000u);
  EXPECT_LT(seconds, 10) << bytes << " bytes";
  std::printf("300 students, all formats: %.1f s of a processor, %.1f MB\n", seconds,
              double(bytes) / 1e6);
}

}  // namespace
}  // namespace lockstep::grader
