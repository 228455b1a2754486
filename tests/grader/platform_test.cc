// SPDX-License-Identifier: Apache-2.0
// What platforms start in their containers, the whole way to the file that they read, in folders
// that imitate theirs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/export/format.h"
#include "grader/platform_check.h"
#include "grader/toolchain.h"
#include "runner/confine.h"
#include "runner/process.h"
#include "tests/grader/corpus_run.h"
#include "tests/grader/export_class.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

class Platform : public testing::Test {
 protected:
  void SetUp() override {
    if (access("grader/grader", X_OK) != 0 || access("hw02/hw02", X_OK) != 0 || !can_compile())
      GTEST_SKIP() << "grader, hw02 or the CUDA toolkit is not there";
    t.write("broken.cu", "this is no C++");
  }
  ProcessResult run(const std::string& folder, const std::vector<std::string>& command,
                    std::vector<std::string> environment = {}) {
    environment.push_back("PATH=/usr/local/cuda/bin:/usr/bin:/bin");
    environment.push_back("LC_ALL=C.UTF-8");
    std::vector<std::string> whole = {"/usr/bin/env", "-C", folder};
    whole.insert(whole.end(), command.begin(), command.end());
    ProcessLimits limits;
    limits.wall_s = 240;
    return run_process(whole, environment, limits);
  }
  static std::string top(const std::string& path) { return fs::absolute(path).string(); }
  // As a platform reads it, who has so many points; null: none. "": nothing is wrong.
  std::string objection(const std::string& format, const std::string& file,
                        const nlohmann::json& points) {
    if (!fs::exists("/usr/bin/python3")) return "";
    const std::string folder = t.path("read-" + format);
    fs::remove_all(folder);
    fs::create_directories(folder + "/one");
    fs::copy_file(file, folder + "/one/" + find_format(format).file);
    const nlohmann::json one = {{"file", "one"}, {"points", points}, {"infra", false}};
    t.write("expected.json", nlohmann::json({{"max", 100}, {"students", {{"one", one}}}}).dump());
    const ProcessResult result = run(".", {"/usr/bin/python3", "tests/grader/check_exports.py",
                                           format, folder, t.path("expected.json")});
    return result.good() ? "" : "objects: " + result.out + result.err;
  }
  // Gradescope's folders.
  void make_autograder(const std::string& homework, const std::string& submission) {
    fs::create_directories(t.path("autograder/source"));
    fs::create_directories(t.path("autograder/submission"));
    for (const char* part : {"platforms", "grader"})
      if (!fs::exists(t.path(std::string("autograder/source/") + part)))
        fs::create_directory_symlink(top(part), t.path(std::string("autograder/source/") + part));
    t.write("autograder/source/homework", homework);
    fs::copy_file(submission, t.path("autograder/submission/hw02.cu"),
                  fs::copy_options::overwrite_existing);
    t.write("autograder/submission_metadata.json",
            R"({"id": 1, "created_at": "2018-07-01T14:22:32.365935-07:00",)"
            R"( "users": [{"email": "a@x.edu", "id": 1, "name": "A"}]})");
  }
  ProcessResult run_autograder() {
    return run("/", {top("platforms/gradescope/run_autograder")},
               {"AUTOGRADER_BASE=" + t.path("autograder")});
  }
  TemporaryFolder t;
};

TEST_F(Platform, GradescopeReadsWhatRunAutograderWrites) {
  const std::string out = t.path("autograder/results/results.json");
  make_autograder("hw02", top("hw02/hw02.cu"));
  ProcessResult result = run_autograder();
  ASSERT_TRUE(result.good()) << result.out << result.err;
  EXPECT_EQ(objection("gradescope", out, 30), "") << "the starter has 30 points";
  make_autograder("hw02", t.path("broken.cu"));
  result = run_autograder();
  ASSERT_TRUE(result.good()) << result.err;
  EXPECT_EQ(objection("gradescope", out, 0), "");
  EXPECT_NE(read_file(out).find("does not compile"), std::string::npos);
  // No result of before is left where there is none now.
  t.write("autograder/submission_metadata.json", "[]");
  result = run_autograder();
  EXPECT_EQ(result.exit_code, kExitUsage) << result.err;
  make_autograder("hw99", t.path("broken.cu"));
  t.write("autograder/results/results.json", "{\"score\": 100}");
  result = run_autograder();
  EXPECT_NE(result.exit_code, 0);
  EXPECT_FALSE(fs::exists(out));
}

// Most containers refuse namespaces; this one has no bubblewrap, which comes to the same.
TEST_F(Platform, GradescopeIsServedWithoutNamespaces) {
  const std::string bwrap = find_program("bwrap");
  const std::vector<std::string> hiding = {bwrap,       "--dev-bind", "/",  "/",
                                           "--ro-bind", "/dev/null",  bwrap};
  std::vector<std::string> command = hiding;
  command.push_back("/usr/bin/true");
  if (landlock_version() == 0 || bwrap.empty() || !run("/", command).good())
    GTEST_SKIP() << "no Landlock, or no namespaces to take away";
  make_autograder("hw02", top("hw02/hw02.cu"));
  command.back() = top("platforms/gradescope/run_autograder");
  const ProcessResult result = run("/", command, {"AUTOGRADER_BASE=" + t.path("autograder")});
  ASSERT_TRUE(result.good()) << result.out << result.err;
  const std::string out = t.path("autograder/results/results.json");
  EXPECT_EQ(objection("gradescope", out, 30), "") << read_file(out).substr(0, 1000);
  EXPECT_NE(read_file(out).find("without namespaces"), std::string::npos);
}

// A container need not hold gigabytes: what toolkit-files.sh has listed is enough, and is small.
TEST_F(Platform, TheListedFilesOfTheToolkitAreEnough) {
  const fs::path toolkit = find_toolchain(".").cuda;
  std::ifstream list("platforms/toolkit-files.txt");
  uint64_t bytes = 0, listed = 0;
  for (std::string name; list >> bytes >> name; listed += bytes) {
    if (!fs::exists(toolkit / name)) GTEST_SKIP() << toolkit << " is of another version: " << name;
    const fs::path to = t.path("cuda/" + name);
    fs::create_directories(to.parent_path());
    std::error_code other_disk;
    fs::create_hard_link(fs::canonical(toolkit / name), to, other_disk);
    if (other_disk) fs::copy_file(toolkit / name, to);
  }
  EXPECT_GT(listed, 100'000'000u);
  EXPECT_LT(listed, 250'000'000u);
  // Compilers run as another user.
  fs::permissions(t.path(), fs::perms::all & ~fs::perms::others_write);
  for (const auto& entry : fs::recursive_directory_iterator(t.path("cuda")))
    if (entry.is_directory()) fs::permissions(entry, fs::perms::all & ~fs::perms::others_write);
  fs::permissions(t.path("cuda"), fs::perms::all & ~fs::perms::others_write);
  t.write("hw02.cu",
          "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
          "#define SOLUTION 1\n" +
              read_file("solutions/hw02/hw02.cu"));
  const ProcessResult result =
      run(".", {"grader/grader", "check", "hw02", t.path("hw02.cu"), "--backend", "emulator"},
          {"CUDA=" + t.path("cuda")});
  EXPECT_TRUE(result.good()) << result.out << result.err;
  EXPECT_NE(result.out.find("100 / 100"), std::string::npos) << result.out;
}

TEST_F(Platform, PrairieLearnNeedNotPayForOurMistakes) {
  t.write("grade/student/hw02.cu", "this is no C++");
  const std::vector<std::string> base = {"GRADE_BASE=" + t.path("grade")};
  const std::string out = t.path("grade/results/results.json");
  ProcessResult result = run("/", {top("platforms/prairielearn/grade.sh"), "hw02"}, base);
  ASSERT_TRUE(result.good()) << result.err;
  EXPECT_EQ(objection("prairielearn", out, 0), "");
  result = run("/", {top("platforms/prairielearn/grade.sh"), "hw99"}, base);
  EXPECT_TRUE(result.good());
  EXPECT_EQ(objection("prairielearn", out, nullptr), "") << read_file(out);
}

TEST_F(Platform, AutolabReadsTheLastLine) {
  t.write("job/hw02.cu", "this is no C++");
  fs::copy_file("platforms/autolab/autograde-Makefile", t.path("job/Makefile"));
  ProcessResult result = run(t.path("job"), {"/usr/bin/make", "-s", "LOCKSTEP=" + top(".")});
  ASSERT_TRUE(result.good()) << result.err;
  t.write("printed", result.out);
  EXPECT_EQ(objection("autolab", t.path("printed"), 0), "");
  result = run(t.path("job"), {"/usr/bin/make", "-s", "LOCKSTEP=" + top("."), "HOMEWORK=hw99"});
  EXPECT_FALSE(result.good());
  EXPECT_EQ(result.out.find("scores"), std::string::npos) << result.out;
}

TEST_F(Platform, GitHubAndClassroom50ReadWhatACheckoutGives) {
  t.write("checkout/hw02.cu", "this is no C++ ::error::x");
  const std::vector<std::string> git = {
      "HOME=" + t.path(),        "GIT_AUTHOR_NAME=a",
      "GIT_AUTHOR_EMAIL=a@x",    "GIT_COMMITTER_NAME=a",
      "GIT_COMMITTER_EMAIL=a@x", "GIT_COMMITTER_DATE=2026-11-20T12:00:00-05:00"};
  if (!run(t.path("checkout"), {"/bin/sh", "-c", "git init -q . && git add . && git commit -qm 1"},
           git)
           .good())
    GTEST_SKIP() << "no git";
  ProcessResult result =
      run(t.path("checkout"), {top("platforms/github/grade.sh"), "hw02"},
          {"GITHUB_OUTPUT=" + t.path("output"), "GITHUB_WORKSPACE=" + t.path("checkout")});
  ASSERT_TRUE(result.good()) << result.err;
  EXPECT_EQ(result.out, "") << "a line of it may be a command";
  const std::string output = read_file(t.path("output"));
  ASSERT_TRUE(output.starts_with("result=")) << output;
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1);
  t.write("result.txt", output.substr(7));
  EXPECT_EQ(objection("github", t.path("result.txt"), 0), "");

  std::vector<std::string> runner = {"CLASSROOM=c",
                                     "ASSIGNMENT=hw02",
                                     "OWNER=ada",
                                     "SUBMISSION_TAG=submit/2026-1",
                                     "COMMIT_URL=https://c",
                                     "RELEASE_URL=https://r",
                                     "REVIEW_URL=https://v",
                                     "ASSIGNMENT_TYPE=individual"};
  result = run(t.path("checkout"), {top("platforms/classroom50/grade.sh"), "hw02"}, runner);
  ASSERT_TRUE(result.good()) << result.err;
  EXPECT_EQ(objection("classroom50", t.path("checkout/result.json"), 0), "");
  EXPECT_NE(read_file(t.path("checkout/result.json")).find("2026-11-20T17:00:00Z"),
            std::string::npos);
  // A student who has something of that name.
  for (const char* made : {"mkdir -p result.json/x", "ln -s ../result.txt result.json",
                           "ln -s nowhere result.json", "mkfifo result.json"}) {
    ASSERT_TRUE(
        run(t.path("checkout"), {"/bin/sh", "-c", std::string("rm -rf result.json; ") + made})
            .good());
    const std::string others = read_file(t.path("result.txt"));
    result = run(t.path("checkout"), {top("platforms/classroom50/grade.sh"), "hw02"}, runner);
    ASSERT_TRUE(result.good()) << made << result.err;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(t.path("checkout/result.json")))) << made;
    EXPECT_EQ(objection("classroom50", t.path("checkout/result.json"), 0), "") << made;
    EXPECT_EQ(read_file(t.path("result.txt")), others) << made;
  }
  t.write("checkout/result.json", "{\"score\": 100}");
  EXPECT_FALSE(
      run(t.path("checkout"), {top("platforms/classroom50/grade.sh"), "hw99"}, runner).good());
  EXPECT_FALSE(fs::exists(t.path("checkout/result.json"))) << "the student's own is no result";
  EXPECT_EQ(std::distance(fs::directory_iterator(t.path("checkout")), fs::directory_iterator()), 2)
      << "nothing of ours is left but .git and the file";
  runner.pop_back();
  runner[0] = "CLASSROOM=";
  result = run(t.path("checkout"), {top("platforms/classroom50/grade.sh"), "hw02"}, runner);
  EXPECT_EQ(result.exit_code, kExitCannotRun);
  EXPECT_NE(result.err.find("its classroom is not known"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(t.path("checkout/result.json")));
}

TEST(PlatformCheck, LeavesNoFileWhereAPlatformWouldReadA0) {
  TemporaryFolder t;
  const std::vector<Graded> all = export_class();
  for (const Graded& graded : all) {
    if (graded.submission != "linus" && graded.submission != "grace") continue;
    for (const Format& format : all_formats()) {
      if (!format.for_each_student) continue;
      CommandOptions options;
      options.format = format.name;
      options.out = t.path("out");
      t.write("out", "of before");
      prepare_platform_check(&options);
      const int code = write_platform_result(options, class_rubric(), graded);
      const std::string name = format.name;
      const bool says_so = name == "prairielearn" || name == "github" || name == "check50";
      EXPECT_EQ(code, says_so ? kExitGood : kExitCannotRun) << name;
      EXPECT_EQ(fs::exists(t.path("out")), says_so) << name;
    }
  }
}

TEST(PlatformCheck, AsksForWhatFitsTogether) {
  const auto problem = [](CommandOptions options) -> std::string {
    try {
      prepare_platform_check(&options);
      return "";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), kExitUsage);
      return e.what();
    }
  };
  CommandOptions options;
  EXPECT_EQ(problem(options), "");
  options.submitted = "2026-11-20T12:00:00Z";
  EXPECT_NE(problem(options).find("with --format"), std::string::npos);
  options.format = "gradescope";
  EXPECT_NE(problem(options).find("expected --out"), std::string::npos);
  options.out = "-";
  EXPECT_EQ(problem(options), "");
  options.submitted = "yesterday";
  EXPECT_NE(problem(options).find("is no time"), std::string::npos);
  options.format = "canvas";
  EXPECT_NE(problem(options).find("grader export"), std::string::npos);
  options.format = "blackboard";
  EXPECT_NE(problem(options).find("expected one of json, junit"), std::string::npos);
  options = {};
  options.format = "autolab";
  options.out = "-";
  prepare_platform_check(&options);
  EXPECT_EQ(options.view, "student") << "who sees all at once sees no hidden check";
  options.view = "instructor";
  prepare_platform_check(&options);
  EXPECT_EQ(options.view, "instructor");
}

}  // namespace
}  // namespace lockstep::grader
