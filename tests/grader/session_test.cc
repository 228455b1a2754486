// SPDX-License-Identifier: Apache-2.0
// Whose fault it is: what this machine cannot do for the solution, either, is no submission's.
#include "grader/session.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <set>
#include <thread>

#include "common/backend/machine_code.h"
#include "common/backend/module_files.h"
#include "grader/build_files.h"
#include "grader/sha256.h"
#include "tests/grader/corpus_run.h"
#include "tests/grader/killer.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

// A copy of the folder that holds everything, in which things can go wrong.
class Session : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
    const std::string top = find_top();
    for (const char* shared : {"common", "runner", "solutions"}) link(top + "/" + shared, shared);
    std::filesystem::create_directories(t.path("top/hw02"));
    link(top + "/hw02/hw02", "hw02/hw02");
    rules = top + "/tests/grader/data/two_kernels.toml";
    instances = read_file(top + "/hw02/instances.cu");
    starter = read_file(top + "/hw02/hw02.cu");
    t.write("top/hw02/instances.cu", instances);
    setenv("LOCKSTEP_TOP", t.path("top").c_str(), 1);
  }
  void TearDown() override { unsetenv("LOCKSTEP_TOP"); }
  void link(const std::string& to, const std::string& name) {
    std::filesystem::create_directories(t.path("top"));
    std::filesystem::create_symlink(to, t.path("top/" + name));
  }
  SessionOptions options() const {
    SessionOptions o;
    o.homework = "hw02";
    o.backend = "emulator";
    o.rubric = rules;
    o.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
    return o;
  }
  StagedSubmission staged() const { return {"ada", "ada.cu", starter, sha256(starter), "", "ada"}; }

  TemporaryFolder t;
  std::string rules, instances, starter;
};

// The solution's module is there and runs, but says nothing about compiling: the instructor's file
// is gone for a while, as on a disk that has to be mounted again.
TEST_F(Session, AFaultOfBuildingIsNobodysBeforeTheSolutionIsCompiled) {
  { GradingSession(options(), t.path("first")).prepare_reference(); }
  GradingSession session(options(), t.path("work"));
  session.prepare_reference();
  std::filesystem::remove(t.path("top/hw02/instances.cu"));
  std::string folder;
  const BuildResult built = session.build(staged(), 1, &folder);
  ASSERT_EQ(built.problem, "infrastructure") << built.log;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    t.write("top/hw02/instances.cu", instances);
  });
  const Graded g = session.finish(staged(), built, folder, 1, 0).graded;
  later.join();
  EXPECT_EQ(g.verdict.kind, VerdictKind::kPass) << g.verdict.message << g.verdict.quoted.marked();
  EXPECT_EQ(g.attempts, 2);
  EXPECT_FALSE(g.module_hash.empty()) << "of the build that was run";
  EXPECT_FALSE(g.code.empty());
}

// As where others have taken all memory: once is made good, twice is nobody's verdict.
TEST_F(Session, AKilledCompilerIsTriedAgain) {
  GradingSession session(options(), t.path("work"));
  session.prepare_reference();
  std::string folder;
  for (const bool once : {true, false}) {
    BuildResult built;
    {
      Killer killer("cicc", 1);
      built = session.build(staged(), 1, &folder);
    }
    ASSERT_EQ(built.problem, "killed") << built.log;
    // Again: the second attempt's, between two that compile the solution.
    std::optional<Killer> again;
    if (!once) again.emplace("cicc", 1, /*passed=*/1);
    const Graded g = session.finish(staged(), built, folder, 1, 0).graded;
    EXPECT_EQ(g.verdict.kind, once ? VerdictKind::kPass : VerdictKind::kInfraError)
        << g.verdict.reason << g.verdict.quoted.marked();
    EXPECT_EQ(g.attempts, 2);
  }
}

// A folder in which others' work could be read, or that of a grader before.
TEST_F(Session, WorksWhereNobodyLooksIn) {
  GradingSession session(options(), t.path("work"));
  struct stat info {};
  ASSERT_EQ(stat(t.path("work").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, session.sandbox().is_passed_by_others() ? 0711u : 0700u);
  session.prepare_reference();
  size_t kept = 0;
  for (const auto& one : std::filesystem::directory_iterator(t.path("top/build/reference"))) {
    ASSERT_EQ(stat(one.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0077, 0u) << one.path();
    ++kept;
  }
  EXPECT_GE(kept, 1u);
}

// What a hidden check's launches show, no student sees: here that only small sizes are right.
TEST_F(Session, AStudentsVerdictHangsOnNoHiddenCheck) {
  std::string text = read_file(rules);
  text += R"(
[[run]]
id = "large"
kernels = ["norm_group_u<8,8,{1,4}>"]
vectors = [4000]
blocks = [3]
warps = [5]
[[check]]
id = "more"
title = "and on more vectors"
kind = "correct"
runs = ["large"]
points = 5
visibility = "hidden"
)";
  t.write("rubric.toml", text);
  const size_t at = starter.rfind("__global__");
  const size_t body = starter.find("{\n", at) + 2;
  starter.insert(body, "  if (n_l > 1000) __trap();\n");
  SessionOptions o = options();
  o.rubric = t.path("rubric.toml");
  const auto grade = [&](View view) {
    o.view = view;
    GradingSession session(o, t.path("work"));
    session.prepare_reference();
    return session.grade(staged(), 1, 0).graded.verdict;
  };
  const Verdict whole = grade(View::kInstructor);
  EXPECT_EQ(whole.kind, VerdictKind::kStudentError);
  EXPECT_EQ(whole.checks.back().status, CheckStatus::kFail);
  const Verdict seen = grade(View::kStudent);
  EXPECT_EQ(seen.kind, VerdictKind::kPass) << seen.message << seen.quoted.marked();
  EXPECT_EQ(seen.checks.back().status, CheckStatus::kHidden);
  EXPECT_EQ(seen.points, 10);
}

TEST_F(Session, GoesOnWhereWhatIsKeptIsNotGood) {
  { GradingSession(options(), t.path("work")).prepare_reference(); }
  size_t spoilt = 0;
  for (const auto& kept :
       std::filesystem::recursive_directory_iterator(t.path("top/build/reference"))) {
    if (!kept.is_regular_file()) continue;
    std::filesystem::resize_file(kept.path(), kept.file_size() + (2 << 20));
    ++spoilt;
  }
  EXPECT_GE(spoilt, 3u);
  GradingSession session(options(), t.path("work"));
  session.prepare_reference();
  const Graded g = session.grade(staged(), 1, 0).graded;
  EXPECT_EQ(g.verdict.kind, VerdictKind::kPass) << g.verdict.message << g.verdict.quoted.marked();
  EXPECT_EQ(g.attempts, 1);
}

// Machine code with its lines, as the cage says it, counts of those lines, the solution's figures.
TEST_F(Session, GivesWhatAPageShows) {
  std::string counted_rules = read_file(rules);
  const std::string shape = "warps = [5]\n";
  counted_rules.insert(counted_rules.find(shape) + shape.size(), "counters = true\n");
  counted_rules +=
      "\n[[check]]\nid = \"fast\"\ntitle = \"few instructions\"\nkind = \"metric\"\n"
      "metric = \"warp_instructions\"\nruns = [\"small\"]\nat_most = 9.0\n"
      "relative_to = \"solution\"\npoints = 5\n";
  t.write("counted.toml", counted_rules);
  SessionOptions settings = options();
  settings.rubric = t.path("counted.toml");
  GradingSession session(settings, t.path("work"));
  session.prepare_reference();
  const GradeResult result = session.grade(staged(), 1, 0);
  ASSERT_EQ(result.graded.verdict.kind, VerdictKind::kPass);
  const MachineCode code = machine_code_from_json(result.graded.code);
  std::set<uint32_t> lines;
  for (const MachineFunction& function : code.functions)
    for (const MachineFunction::Place& place : function.places)
      if (code.files.at(place.file).ends_with("hw02/hw02.cu")) lines.insert(place.line);
  EXPECT_GT(lines.size(), 5u);
  size_t counted = 0;
  for (const Record& record : result.records)
    for (const LineCounts& line : record.counts.lines)
      if (line.file.ends_with("hw02/hw02.cu")) {
        ++counted;
        EXPECT_TRUE(lines.contains(static_cast<uint32_t>(line.line))) << line.line;
      }
  EXPECT_GT(counted, 5u);
  EXPECT_EQ(result.solution.records.size(), 2u);
  EXPECT_FALSE(session.build_given(0).good()) << "this rubric has no starter";
}

TEST(BuildSteps, ADiskWithoutRoomIsSeen) {
  TemporaryFolder t;
  EXPECT_EQ(room_problem(t.path(), 1), "");
  EXPECT_NE(room_problem(t.path(), INT64_MAX).find("less than"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::grader
